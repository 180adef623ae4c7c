"""The registry's official code tables, one file each in ``tables/``, read when first needed.

>>> description("naturezas_juridicas", "2062"), code_of("qualificacoes_socio", "sócio-administrador ")
('Sociedade Empresária Limitada', '49')
"""

import json
import unicodedata
from functools import cache
from pathlib import Path

__all__ = ["code_of", "description", "fold", "ibge_code", "width"]


def description(table: str, code: str) -> str | None:
    """The official text of a code."""
    return _read(table).get(code)


def code_of(table: str, text: str) -> str | None:
    """The code of a text, whatever its case, accents and spacing; the lower of two with the same text."""
    return _by_text(table).get(fold(text))


def ibge_code(siafi_code: str, state: str) -> str | None:
    """IBGE's code of a municipality by SIAFI's; the state tells those of the same name apart."""
    codes = _read("municipios_ibge")
    return codes.get(siafi_code) or codes.get(siafi_code + state)


def fold(text: str) -> str:
    """A text reduced to its letters and digits, without case and accents, for comparing."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


@cache
def width(table: str) -> int:
    """How many digits the codes of a table have."""
    return len(next(iter(_read(table))))


@cache
def _read(table: str) -> dict[str, str]:
    path = Path(__file__).with_name("tables") / f"{table}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


@cache
def _by_text(table: str) -> dict[str, str]:
    return {fold(text): code for code, text in sorted(_read(table).items(), reverse=True)}
