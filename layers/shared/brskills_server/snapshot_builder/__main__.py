"""The command line of ``make copy`` and ``brskills-copy``; its help needs none of the builder's libraries."""

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import click

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.issues import ACCEPTABLE

if TYPE_CHECKING:
    from brskills_server.snapshot_builder.actions import Target

LOWEST_PRIORITY = 19
"""A server on the same machine goes first."""

_FOLDER = "data/receita"
_INTERRUPTED = "interrupted; the next run resumes from here"


def main(program: str = "brskills-copy") -> None:
    """Run one command. Exit with 1 and the reasons if it fails, with 2 for wrong arguments."""
    os.umask(os.umask(0o077) | 0o027)  # the files contain names, phones and addresses of people
    with suppress(OSError):  # forbidden under systemd, whose unit has set it
        os.nice(LOWEST_PRIORITY)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_INTERRUPTED))
    try:
        cli.main(prog_name=program, standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed: install the package brskills-server-with-copy")
    except (SnapshotError, ValueError) as error:
        sys.exit(str(error))
    except (KeyboardInterrupt, click.Abort):
        sys.exit(_INTERRUPTED)
    except RuntimeError as error:
        if "interrupted" not in str(error):  # DuckDB's exception for a signal
            raise
        sys.exit(_INTERRUPTED)
    except OSError as error:
        sys.exit(f"{error.filename or 'a file'}: {error.strerror}")


@dataclass(frozen=True, slots=True)
class _Place:
    """The options that say where snapshots are."""

    folder: str
    tables: str
    bucket: str
    indexes: str

    def open(self) -> "Target":
        from brskills_server.snapshot_builder.actions import open_target

        return open_target(self.folder, self.tables, self.bucket, self.indexes)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--folder", default=_FOLDER, show_default=True, help="where snapshots for a store are built")
@click.option("--tables", default="", help="prefix of the two tables' names in DynamoDB")
@click.option("--bucket", default="", help="S3 bucket for imports into DynamoDB and for the months' files")
@click.option("--indexes", default="", help="folder of the indexes of the search function on AWS")
@click.pass_context
def cli(context: click.Context, folder: str, tables: str, bucket: str, indexes: str) -> None:
    """Snapshots of the federal register, one a month: build, list and roll back.

    By make: FROM=… to build, ARGS=list, ARGS=rollback.

    The options are for REGISTRY_COPY=store; else that setting is the folder.
    """
    context.obj = _Place(folder, tables, bucket, indexes)


@cli.command()
@click.argument("source")
@click.option("--anew", is_flag=True, help="build also if a snapshot of these files exists")
@click.option(
    "--accept",
    multiple=True,
    type=click.Choice(ACCEPTABLE),
    help="build although checks of these files, or of repeated rows, say that the month is unusual",
)
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="the day of the data, where no file's name has it: zips made again, or unzipped files",
)
@click.pass_obj
def build(place: _Place, source: str, anew: bool, accept: tuple[str, ...], day: datetime | None) -> None:
    """Build a month's snapshot and put it in place.

    SOURCE: a folder with the zips or the files in them, or a share's address.
    """
    from brskills_server.snapshot_builder import actions

    actions.build(place.open(), source, anew=anew, accepted=accept, day=day.date() if day else None)


@cli.command("list")
@click.pass_obj
def list_snapshots(place: _Place) -> None:
    """List the kept snapshots, the one in place first."""
    from brskills_server.snapshot_builder import actions

    actions.list_snapshots(place.open())


@cli.command()
@click.pass_obj
def rollback(place: _Place) -> None:
    """Put the previous snapshot in place again, in the store and in the folder."""
    from brskills_server.snapshot_builder import actions

    actions.roll_back(place.open())


if __name__ == "__main__":
    main("make copy")
