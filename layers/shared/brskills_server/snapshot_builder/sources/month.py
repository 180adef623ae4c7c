"""The 37 files of a month, and the choice of the newest whole month of a source."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
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

_ENDS = ("EMPRECSV", "ESTABELE", "SOCIOCSV")
_SINGLE_ENDS = ("CNAECSV", "MOTICSV", "MUNICCSV", "NATJUCSV", "PAISCSV", "QUALSCSV")
_BEFORE_2023 = {
    f"K3241.K03200Y{part}.{end}.zip": f"{kind}{part}.zip"
    for kind, end in zip(_NUMBERED, _ENDS, strict=True)
    for part in range(10)
} | {
    "F.K03200$W.SIMPLES.CSV.zip": "Simples.zip",
    **{f"F.K03200$Z.{end}.zip": f"{kind}.zip" for kind, end in zip(_SINGLE[1:], _SINGLE_ENDS, strict=True)},
}
"""Name before 2023 without its day → name. Until then a zip was named as its member still is."""
_DAY = re.compile(r"\.D[0-9]{5}(?=\.|$)", re.IGNORECASE)
_UNZIPPED = {
    zipped.removesuffix(".zip").lower(): name
    for zipped, name in (*_BEFORE_2023.items(), *zip(NAMES, NAMES, strict=True))
}
"""Name of an unzipped file, in lower case and without its day and ``.csv`` → name."""

Files = Mapping[str, tuple[int, str | None]]
"""Name → bytes and entity tag, `None` without one."""

_LIKE_OURS = re.compile(rf"(?:{'|'.join((*_NUMBERED, *_SINGLE))})|(?:K3241|F)\.K03200", re.IGNORECASE)
"""The beginning of names whose zips may have rows that would be missed: copies, and other numbers."""
_MONTH = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])")
_MAX_SHOWN, _MAX_SHOWN_CHARACTERS = len(NAMES), 60
"""Of the names in a message, which a server may have chosen."""


@dataclass(frozen=True, slots=True)
class Month:
    """A whole month of a source. ``notes``: lines about newer months that are not whole, and other zips.

    ``path``: below the source, with a slash at its end; empty if the source is the month's own folder.
    ``published``: the name of each of the ``files`` in the source, which before 2023 was another one.
    """

    path: str
    files: Mapping[str, Listed]
    published: Mapping[str, str]
    notes: tuple[str, ...] = ()

    def versions(self) -> Files:
        """Return sizes and tags."""
        return {name: (file.size, file.etag) for name, file in self.files.items()}


async def newest_month(source: str, list_folder: Callable[[str], Awaitable[Folder]]) -> Month:
    """Return the month that a source is, or the newest whole one of its folders ``YYYY-MM``.

    Raise `SnapshotError` with the issues of the newest month if none is whole. ``source``: for messages.
    """
    top = await list_folder("")
    months = sorted(filter(_MONTH.fullmatch, top.folders), reverse=True)
    if any(is_zip(names[0]) or not months for names in published_names(top.files).values()):
        if issues := month_issues(source, top):
            raise SnapshotError(*issues)
        return _month("", top)
    skipped: list[list[str]] = []
    for name in months:
        folder = await list_folder(f"{name}/")
        if not (issues := month_issues(name, folder)):
            return _month(f"{name}/", folder, *chain(*skipped))
        skipped.append(issues)
    if not skipped:
        raise SnapshotError(f"{source} contains neither a month's files nor folders named as 2026-10")
    raise SnapshotError(*skipped[0])


def published_names(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names among ``names`` that each of the 37 files has in a folder; more than one is too many.

    >>> published_names(["Simples.zip", "K3241.K03200Y7.D20911.SOCIOCSV.zip", "leia-me.pdf"])
    {'Socios7.zip': ['K3241.K03200Y7.D20911.SOCIOCSV.zip'], 'Simples.zip': ['Simples.zip']}

    A file may also be unzipped, named as the member, or as the zip with ``.csv``, where there is no zip.

    >>> published_names(["F.K03200$Z.D60912.CNAECSV", "Cnaes.zip", "socios7.csv"])
    {'Cnaes.zip': ['Cnaes.zip'], 'Socios7.zip': ['socios7.csv']}
    """
    found: dict[str, list[str]] = {}
    for published in sorted(names, key=lambda name: (not is_zip(name), name)):
        name = published if published in NAMES else _name_since_2023(published)
        if name and (is_zip(published) or not is_zip(found.get(name, [""])[0])):
            found.setdefault(name, []).append(published)
    return found


def is_zip(published: str) -> bool:
    """Return whether a file is a zip by its name."""
    return published.lower().endswith(".zip")


def _name_since_2023(published: str) -> str | None:
    without_day, days = _DAY.subn("", published)
    if is_zip(published):
        return _BEFORE_2023.get(without_day) if days == 1 else None
    name = without_day.lower()
    return _UNZIPPED.get(name) or _UNZIPPED.get(name.removesuffix(".csv"))


def files_of_month(folder: Folder) -> dict[str, Listed]:
    """Return those of the 37 files that a folder contains."""
    return {name: folder.files[published[0]] for name, published in published_names(folder.files).items()}


def _month(path: str, folder: Folder, *notes: str) -> Month:
    published = {name: names[0] for name, names in published_names(folder.files).items()}
    return Month(path, files_of_month(folder), published, (*notes, *_left_aside(folder)))


def month_issues(where: str, folder: Folder) -> list[str]:
    """Return why a folder is not a whole month. ``where``: its name for the lines.

    Other files are ignored, but a zip with a name like those of the 37 may contain rows that would be missed.
    """
    found = published_names(folder.files)
    kinds = {
        "missing": [name for name in NAMES if name not in found],
        "empty": [name for names in found.values() for name in names if not folder.files[name].size],
        "twice": [name for names in found.values() if len(names) > 1 for name in names],
        "unexpected": [name for name in _other_zips(folder) if _LIKE_OURS.match(name)],
    }
    return [f"{where}: {kind}: {_shown(names)}" for kind, names in kinds.items() if names]


def _other_zips(folder: Folder) -> list[str]:
    ours = {*chain(*published_names(folder.files).values())}
    return sorted(name for name in folder.files if is_zip(name) and name not in ours)


def _left_aside(folder: Folder) -> tuple[str, ...]:
    """Return a line that names other zips, such as ``Lucro Real.zip``, published in the same folder."""
    names = _other_zips(folder)
    return (f"not of the register, left aside: {_shown(names)}",) if names else ()


def _shown(names: list[str]) -> str:
    shown = [ascii(name)[1:-1][:_MAX_SHOWN_CHARACTERS] for name in names[:_MAX_SHOWN]]
    more = [f"and {len(names) - _MAX_SHOWN} more"] if len(names) > _MAX_SHOWN else []
    return ", ".join(shown + more)
