"""The month's copy of the federal register, built and put in place; which there are; back."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from pathlib import Path

from adapters.copies.folder import FILE
from copy_builder.build import build_month, locked
from copy_builder.faults import BuildFault
from copy_builder.files import open_month
from copy_builder.places.folder import FolderPlace
from copy_builder.places.opening import open_bucket, open_place
from copy_builder.places.place import PlaceFault
from copy_builder.publishing import Published
from copy_builder.report import source_of
from copy_builder.sources import Fetched, Progress, SourceFault, fetch
from wiring.configuration import load_configuration
from wiring.local import set_local_defaults
from wiring.settings import VERSION, Settings

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
        load_configuration()
        set_local_defaults()
        settings = Settings.from_environment()
        in_store = settings.registry_copy == "store"
        work = os.environ.get("REGISTRY_FOLDER", _FOLDER) if in_store else settings.registry_copy
        folder = FolderPlace(Path(work))
        published = Published(open_place(), open_bucket()) if in_store else None
        match arguments.command:
            case "build":
                with locked(folder):
                    _build(arguments, folder, published, settings)
            case "list":
                _list(folder, published)
            case _:
                _roll_back(folder, published)
    except (BuildFault, SourceFault, PlaceFault, ValueError) as fault:
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
    build = commands.add_parser("build", help="build a month and put it in place (by make: FROM=…)")
    build.add_argument("source", help="the folder with the zips, or the share's address")
    build.add_argument("--anew", action="store_true", help="also where a copy was made of these very files")
    commands.add_parser("list", help="the months that are kept, the one in place first")
    commands.add_parser("rollback", help="put the month before in place again")
    return parser.parse_args()


def _build(
    arguments: argparse.Namespace, folder: FolderPlace, published: Published | None, settings: Settings
) -> None:
    taken: list[str] = []
    if published:
        published.bring_former(folder)
        taken = [month.name for month in published.place.months()]
    if "://" in arguments.source:
        print("asking the share for its months", flush=True)
    fetched = fetch(
        arguments.source,
        folder.folder / "download",
        _Download(),
        user_agent=f"brskills/{VERSION} (+{settings.project_url})",
        known=[]
        if arguments.anew
        else [source_of(folder.folder_of(month.name) / FILE) for month in folder.months()],
    )
    if fetched:
        _make(fetched, folder, taken, arguments.anew)
    else:
        print("the newest month of the share is kept already: nothing is brought in")
    if published:
        published.publish(folder)
    for kept in folder.months()[:1]:
        print(f"the copy of {kept.day} is in place")


def _make(fetched: Fetched, folder: FolderPlace, taken: list[str], anew: bool) -> None:
    for note in fetched.notes:
        print(note)
    month = open_month(fetched.folder)
    source = fetched.files if fetched.downloaded else {}
    name = build_month(month, folder, taken=taken, source=source, anew=anew)
    if name:
        folder.switch(name)
    else:
        print(f"the copy of {month.day} was made of these very files (--anew makes another)")
    folder.tidy()
    if fetched.downloaded:
        shutil.rmtree(fetched.folder)


class _Download:
    """A line for each tenth of a download."""

    def __init__(self) -> None:
        self._told = 0

    def __call__(self, progress: Progress) -> None:
        tenth = progress.all_done * 10 // max(progress.all_sizes, 1)
        if tenth > self._told:
            self._told = tenth
            print(f"download {tenth * 10:3} %  of {progress.all_sizes / 1e9:.2f} GB", flush=True)


def _list(folder: FolderPlace, published: Published | None) -> None:
    if published:
        for month in sorted(published.place.months(), key=lambda month: not month.current):
            print(f"{month.name:14}  {'in place' if month.current else 'kept'}, in the store")
        return
    for kept in folder.months():
        print(f"{kept.name:14}  {'in place' if kept.current else 'kept'}  {kept.size / 1e9:.2f} GB")


def _roll_back(folder: FolderPlace, published: Published | None) -> None:
    here = next((month.name for month in folder.months() if not month.current), None)
    if published:
        name = published.roll_back()
        if here == name:
            folder.switch(name)
    elif here is None:
        raise BuildFault("there is no month beside the one in place")
    else:
        name = here
        folder.switch(name)
    print(f"the copy {name} is in place again")


if __name__ == "__main__":
    main()
