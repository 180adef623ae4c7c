"""The 37 files of a month, and what a folder lacks of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["MONTH", "NAMES", "are_files_of_a_month", "faults_in"]

_PARTS = 10  # numbered 0 to 9
_IN_PARTS = ("Empresas", "Estabelecimentos", "Socios")
_WHOLE = ("Simples", "Cnaes", "Motivos", "Municipios", "Naturezas", "Paises", "Qualificacoes")
NAMES = {f"{kind}{part}.zip": kind for kind in _IN_PARTS for part in range(_PARTS)} | {
    f"{kind}.zip": kind for kind in _WHOLE
}
"""Name → kind of the rows in it."""

MONTH = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])")  # a month's folder
_SHOWN = len(NAMES)  # of the names that a message lists, which a server may have chosen
_SHOWN_LETTERS = 60


def are_files_of_a_month(names: Iterable[str]) -> bool:
    """Whether a folder is a month's own, not one with folders of months in it."""
    return not set(NAMES).isdisjoint(names)


def faults_in(where: str, sizes: Mapping[str, int]) -> list[str]:
    """What keeps a folder from being a whole month; nothing if it is one.

    ``where``: the folder's name for the texts. ``sizes``: bytes of each file in it. Another zip than the
    37 may hold rows that we would not read, so it is a fault; other files are nobody's concern.
    """
    kinds = {
        "missing": [name for name in NAMES if name not in sizes],
        "empty": [name for name in NAMES if sizes.get(name) == 0],
        "unexpected": sorted(name for name in sizes if name.lower().endswith(".zip") and name not in NAMES),
    }
    return [f"{where}: {kind}: {_listed(names)}" for kind, names in kinds.items() if names]


def _listed(names: list[str]) -> str:
    shown = [ascii(name)[1:-1][:_SHOWN_LETTERS] for name in names[:_SHOWN]]
    more = [f"and {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return ", ".join(shown + more)
