"""``make copy``: the month's copy of the federal register, built and put in place; which there are; back."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from copy_builder.build import build_month, locked
from copy_builder.faults import BuildFault
from copy_builder.files import open_month
from copy_builder.places.folder import FolderPlace
from copy_builder.sources import SourceFault, fetch

_DEFAULT_FOLDER = "data/receita"


def main() -> None:
    """One command; ends with 1 and the reasons where it cannot be done."""
    arguments = _arguments()
    try:
        place = FolderPlace(Path(os.environ.get("REGISTRY_COPY", "").strip() or _DEFAULT_FOLDER))
        with locked(place):
            match arguments.command:
                case "build":
                    _build(arguments.source, place)
                case "list":
                    _list(place)
                case _:
                    _roll_back(place)
    except (BuildFault, SourceFault) as fault:
        sys.exit(str(fault))
    except OSError as fault:
        sys.exit(f"{fault.filename or 'a file'}: {fault.strerror}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make copy", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="build a month and put it in place (make copy FROM=…)")
    build.add_argument("source", help="the folder with the zips, or the share's address")
    commands.add_parser("list", help="the months that are kept, the one in place first")
    commands.add_parser("rollback", help="put the month before in place again")
    return parser.parse_args()


def _build(source: str, place: FolderPlace) -> None:
    fetched = fetch(source, place.folder / "download")
    for note in fetched.notes:
        print(note)
    month = open_month(fetched.folder)
    name = build_month(month, place)
    if name is None:
        print(f"the copy of {month.day} in place was made of these files already")
    else:
        place.switch(name)
        place.tidy()
        print(f"the copy of {month.day} is in place: {place.folder_of(name)}")
    if fetched.downloaded:
        shutil.rmtree(fetched.folder)


def _list(place: FolderPlace) -> None:
    for month in place.months():
        print(
            f"{month.name:14} {month.size / 1e9:8.2f} GB  {'in place' if month.current else 'the one before'}"
        )


def _roll_back(place: FolderPlace) -> None:
    former = next((month for month in place.months() if not month.current), None)
    if former is None:
        raise BuildFault("there is no month before the one in place")
    place.switch(former.name)
    print(f"the copy of {former.day} is in place again")


if __name__ == "__main__":
    main()
