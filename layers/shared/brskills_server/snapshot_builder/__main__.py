"""``make copy`` and ``brskills-copy``: build, list and roll back snapshots of the federal register."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.runtime.configuration import ENV_FILE, load_configuration
from brskills_server.runtime.local import set_local_defaults
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.snapshot_builder.build import build_snapshot, locked
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.destinations.opening import open_bucket, open_destination
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.publishing import StorePublisher
from brskills_server.snapshot_builder.report import read_source
from brskills_server.snapshot_builder.source_files import open_month
from brskills_server.snapshot_builder.sources.download import Report
from brskills_server.snapshot_builder.sources.fetch import Fetched, fetch

_FOLDER = "data/receita"
_INTERRUPTED = "interrupted; the next run resumes from here"


@dataclass(frozen=True, slots=True)
class _Target:
    """``store``: the store that the folder's snapshots are published to, if any."""

    folder: SnapshotFolder
    store: StorePublisher | None
    user_agent: str


def main(program: str = "make copy") -> None:
    """Run one command. Exit with 1 and the reasons if it fails, with 2 for wrong arguments."""
    os.umask(0o027)  # the files contain names, phones and addresses of people
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_INTERRUPTED))
    try:
        cli.main(prog_name=program, standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--folder", default=_FOLDER, show_default=True, help="where snapshots for a store are built")
@click.option("--tables", default="", help="prefix of the two tables' names in DynamoDB")
@click.option("--bucket", default="", help="S3 bucket for imports into DynamoDB and for the months' files")
@click.pass_context
def cli(context: click.Context, folder: str, tables: str, bucket: str) -> None:
    """Snapshots of the federal register, one a month: build, list and roll back.

    By make: FROM=… to build, ARGS=list, ARGS=rollback.

    The options are for REGISTRY_COPY=store; else that setting is the folder.
    """
    context.obj = partial(_open_target, folder, tables, bucket)


@cli.command()
@click.argument("source")
@click.option("--anew", is_flag=True, help="build also if a snapshot of these files exists")
@click.pass_obj
def build(open_target: Callable[[], _Target], source: str, anew: bool) -> None:
    """Build a month's snapshot and put it in place. SOURCE: a folder with the zips, or a share's address."""
    target = open_target()
    with locked(target.folder):
        if target.store:
            target.store.fetch_current(target.folder)
        if "://" in source:
            click.echo("listing the months of the share")
        snapshots = [] if anew else target.folder.snapshots()
        fetched = fetch(
            source,
            target.folder.path / "download",
            _print_tenths(),
            user_agent=target.user_agent,
            known=[read_source(target.folder.path / snapshot.name / FILE) for snapshot in snapshots],
        )
        if fetched:
            _build(target, fetched, anew)
        else:
            click.echo("the newest month of the share is kept already: nothing is downloaded")
        if target.store:
            target.store.publish(target.folder)
    for snapshot in target.folder.snapshots()[:1]:
        click.echo(f"the snapshot of {snapshot.day} is in place")


def _build(target: _Target, fetched: Fetched, anew: bool) -> None:
    for note in fetched.notes:
        click.echo(note)
    month = open_month(fetched.folder)
    taken = [snapshot.name for snapshot in target.store.destination.snapshots()] if target.store else []
    name = build_snapshot(month, target.folder, taken=taken, source=fetched.listed, anew=anew)
    if name:
        target.folder.switch(name)
    else:
        click.echo(f"the snapshot of {month.day} was built from these very files (--anew builds another)")
    target.folder.delete_leftovers()
    if fetched.listed:
        shutil.rmtree(fetched.folder)


@cli.command("list")
@click.pass_obj
def list_snapshots(open_target: Callable[[], _Target]) -> None:
    """List the kept snapshots, the one in place first."""
    target = open_target()
    place = target.store.destination if target.store else target.folder
    for kept in sorted(place.snapshots(), key=lambda kept: not kept.current):
        details = ", in the store" if target.store else f"  {kept.size / 1e9:.2f} GB"
        click.echo(f"{kept.name:14}  {'in place' if kept.current else 'kept'}{details}")


@cli.command()
@click.pass_obj
def rollback(open_target: Callable[[], _Target]) -> None:
    """Put the previous snapshot in place again, in the store and in the folder."""
    target = open_target()
    local = next((snapshot.name for snapshot in target.folder.snapshots() if not snapshot.current), None)
    name = target.store.roll_back() if target.store else local
    if name is None:
        raise SnapshotError("there is no snapshot beside the one in place")
    if local == name:
        target.folder.switch(name)
    click.echo(f"the snapshot {name} is in place again")


def _open_target(folder: str, tables: str, bucket: str) -> _Target:
    reader = Reader(os.environ)
    load_configuration(reader, ENV_FILE)
    reader.finish()
    set_local_defaults()
    settings = Settings.from_environment()
    in_store = settings.registry_copy == "store"
    return _Target(
        SnapshotFolder(Path(folder if in_store else settings.registry_copy)),
        StorePublisher(open_destination(tables, bucket), open_bucket(bucket)) if in_store else None,
        f"brskills/{VERSION} (+{settings.project_url})",
    )


def _print_tenths() -> Report:
    """Return a function that prints a line for each tenth of a download."""
    printed = 0

    def report(done: int, total: int) -> None:
        nonlocal printed
        tenths = done * 10 // max(total, 1)
        if tenths > printed:
            printed = tenths
            click.echo(f"download {tenths * 10:3} %  of {total / 1e9:.2f} GB")

    return report


if __name__ == "__main__":
    main()
