"""The 37 files of a month, and the choice of the newest whole month of a source."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import chain

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.listing import Folder, Listed

_NUMBERED = ("Empresas", "Estabelecimentos", "Socios")  # 0 to 9
_SINGLE = ("Simples", "Cnaes", "Motivos", "Municipios", "Naturezas", "Paises", "Qualificacoes")
NAMES = {f"{kind}{part}.zip": kind for kind in _NUMBERED for part in range(10)} | {
    f"{kind}.zip": kind for kind in _SINGLE
}
"""Name → kind of its rows."""

Files = Mapping[str, tuple[int, str | None]]
"""Name → bytes and entity tag, `None` without one."""

_LIKE_OURS = re.compile(rf"(?:{'|'.join((*_NUMBERED, *_SINGLE))})|(?:K3241|F)\.K03200", re.IGNORECASE)
"""The beginning of names whose zips may have rows that would be missed: copies and other numbers of the 37,
and names as before 2023."""
_MONTH = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])")
_MAX_SHOWN, _MAX_SHOWN_CHARACTERS = len(NAMES), 60
"""Of the names in a message, which a server may have chosen."""


@dataclass(frozen=True, slots=True)
class Month:
    """A whole month of a source. ``notes``: lines about newer months that are not whole, and other zips.

    ``path``: below the source, with a slash at its end; empty if the source is the month's own folder.
    """

    path: str
    files: Mapping[str, Listed]
    notes: tuple[str, ...] = ()

    def versions(self) -> Files:
        """Return sizes and tags."""
        return {name: (file.size, file.etag) for name, file in self.files.items()}


async def newest_month(source: str, list_folder: Callable[[str], Awaitable[Folder]]) -> Month:
    """Return the month that a source is, or the newest whole one of its folders ``YYYY-MM``.

    Raise `SnapshotError` with the issues of the newest month if none is whole. ``source``: for messages.
    """
    top = await list_folder("")
    if not NAMES.keys().isdisjoint(top.files):
        if issues := month_issues(source, top):
            raise SnapshotError(*issues)
        return Month("", files_of_month(top), _left_aside(top))
    skipped: list[list[str]] = []
    for name in sorted(filter(_MONTH.fullmatch, top.folders), reverse=True):
        folder = await list_folder(f"{name}/")
        if not (issues := month_issues(name, folder)):
            notes = (*chain(*skipped), *_left_aside(folder))
            return Month(f"{name}/", files_of_month(folder), notes)
        skipped.append(issues)
    if not skipped:
        raise SnapshotError(f"{source} contains neither a month's files nor folders named as 2026-10")
    raise SnapshotError(*skipped[0])


def files_of_month(folder: Folder) -> dict[str, Listed]:
    """Return those of the 37 files that a folder contains."""
    return {name: folder.files[name] for name in NAMES if name in folder.files}


def month_issues(where: str, folder: Folder) -> list[str]:
    """Return why a folder is not a whole month. ``where``: its name for the lines.

    Other files are ignored, but a zip with a name like those of the 37 may contain rows that would be missed.
    """
    files = folder.files
    kinds = {
        "missing": [name for name in NAMES if name not in files],
        "empty": [name for name in NAMES if name in files and not files[name].size],
        "unexpected": [name for name in _other_zips(folder) if _LIKE_OURS.match(name)],
    }
    return [f"{where}: {kind}: {_shown(names)}" for kind, names in kinds.items() if names]


def _other_zips(folder: Folder) -> list[str]:
    return sorted(name for name in folder.files if name.lower().endswith(".zip") and name not in NAMES)


def _left_aside(folder: Folder) -> tuple[str, ...]:
    """Return a line that names other zips, such as ``Lucro Real.zip``, published in the same folder."""
    names = _other_zips(folder)
    return (f"not of the register, left aside: {_shown(names)}",) if names else ()


def _shown(names: list[str]) -> str:
    shown = [ascii(name)[1:-1][:_MAX_SHOWN_CHARACTERS] for name in names[:_MAX_SHOWN]]
    more = [f"and {len(names) - _MAX_SHOWN} more"] if len(names) > _MAX_SHOWN else []
    return ", ".join(shown + more)
