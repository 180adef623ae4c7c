"""The registry's official code tables, one file each in ``tables/``, read on first use.

>>> description("naturezas_juridicas", "2062"), code_of("qualificacoes_socio", "sócio-administrador ")
('Sociedade Empresária Limitada', '49')
"""

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def description(table: str, code: str) -> str | None:
    """Return the official text of a code."""
    return _read(table).get(code)


def code_of(table: str, text: str) -> str | None:
    """Return the code of a text, regardless of case, accents and spacing; the lower of two with one text."""
    return _by_text(table).get(fold(text))


def ibge_code(siafi_code: str, state: str) -> str | None:
    """Return IBGE's code of a municipality by SIAFI's; the state distinguishes those of the same name."""
    codes = _read("municipios_ibge")
    return codes.get(siafi_code) or codes.get(siafi_code + state)


def siafi_places(ibge_code: str) -> tuple[str, ...]:
    """Return SIAFI's codes of a municipality by IBGE's, with the state behind a code that others share.

    >>> siafi_places("3550308"), siafi_places("1200401"), siafi_places("9999999")
    (('7107',), ('0139AC', '8995AC'), ())
    """
    return places_by_ibge().get(ibge_code, ())


def fold(text: str) -> str:
    """Return a text's letters and digits without case and accents, for comparing."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def texts(table: str) -> Mapping[str, str]:
    """Return all texts of a table by their codes."""
    return _read(table)


@cache
def width(table: str) -> int:
    """Return how many digits the codes of a table have."""
    return len(next(iter(_read(table))))


@cache
def _read(table: str) -> dict[str, str]:
    path = Path(__file__).with_name("tables") / f"{table}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


@cache
def _by_text(table: str) -> dict[str, str]:
    return {fold(text): code for code, text in sorted(_read(table).items(), reverse=True)}


@cache
def places_by_ibge() -> dict[str, tuple[str, ...]]:
    """Return the places of all municipalities, as :func:`siafi_places` does, by IBGE's codes."""
    found: dict[str, tuple[str, ...]] = {}
    for place, code in _read("municipios_ibge").items():
        found[code] = (*found.get(code, ()), place)
    return found
