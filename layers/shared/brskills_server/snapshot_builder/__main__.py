"""The month's copy of the federal register, built and put in place; which there are; back."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from brskills_server.runtime.configuration import load_configuration
from brskills_server.runtime.local import set_local_defaults
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.snapshot_builder.actions import build, list_months, roll_back
from brskills_server.snapshot_builder.build import locked
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.destinations.opening import open_bucket, open_destination
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.publishing import StorePublisher

__all__ = ["main"]

_FOLDER = "data/receita"
_ENDED = "ended; the next run goes on from here"
_WHAT = "The month's copy of the federal register: built and put in place; which there are; back."


def main(program: str = "make copy") -> None:
    """One command of ``program``, as people call it; ends with 1 and the reasons where it cannot be done."""
    arguments = _arguments(program)
    os.umask(0o027)  # names of partners, phones and addresses of people are in the files
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_ENDED))
    try:
        reader = Reader(os.environ)
        load_configuration(reader)
        reader.finish()
        set_local_defaults()
        settings = Settings.from_environment()
        in_store = settings.registry_copy == "store"
        work = os.environ.get("REGISTRY_FOLDER", _FOLDER) if in_store else settings.registry_copy
        folder = SnapshotFolder(Path(work))
        published = StorePublisher(open_destination(), open_bucket()) if in_store else None
        match arguments.command:
            case "build":
                with locked(folder):
                    agent = f"brskills/{VERSION} (+{settings.project_url})"
                    build(arguments.source, folder, published, arguments.anew, agent)
            case "list":
                list_months(folder, published)
            case _:
                roll_back(folder, published)
    except (SnapshotError, ValueError) as fault:
        sys.exit(str(fault))
    except KeyboardInterrupt:
        sys.exit(_ENDED)
    except RuntimeError as interrupted:
        if "interrupted" not in str(interrupted):  # as DuckDB says where a signal ended its work
            raise
        sys.exit(_ENDED)
    except OSError as fault:
        sys.exit(f"{fault.filename or 'a file'}: {fault.strerror}")


def _arguments(program: str) -> argparse.Namespace:
    usage = f"{program} FROM=… | ARGS=list | ARGS=rollback" if program == "make copy" else None
    parser = argparse.ArgumentParser(prog=program, usage=usage, description=_WHAT, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build", help="build a month and put it in place (by make: FROM=…)")
    building.add_argument("source", help="the folder with the zips, or the share's address")
    building.add_argument(
        "--anew", action="store_true", help="also where a copy was made of these very files"
    )
    commands.add_parser("list", help="the months that are kept, the one in place first")
    commands.add_parser("rollback", help="put the month before in place again")
    return parser.parse_args()


if __name__ == "__main__":
    main()
