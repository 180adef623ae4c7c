"""Single values of a search in canonical form. A reader raises ``InvalidValue`` for any other text."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from brskills_server.registry import tables
from brskills_server.registry.registry import parse_cnpj
from brskills_server.registry.search.words import fold

ANY_STATUS = "todas"
MOST_LETTERS = 200
"""The length of a name."""

STATES = (
    "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "EX", "GO", "MA", "MG", "MS", "MT", "PA", "PB", "PE",
    "PI", "PR", "RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO",
)  # fmt: skip
"""The states and the federal district, and EX for abroad."""
SIZES = ("00", "01", "03", "05")
STATUSES = ("ativa", "baixada", "inapta", "nula", "suspensa")


class InvalidValue(Exception):
    """A value that its field does not take. ``code``, ``params``: as of ``skills.issues.issue``."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def digits_reader(width: int, mask: str, example: str) -> Callable[[str | int], str]:
    """Return a reader of codes in digits, with or without the characters of ``mask``.

    Only an integer is padded with zeros.
    """

    def read(value: str | int) -> str:
        text = _bare(value, mask) if isinstance(value, str) else _padded(value, width)
        if not _is_code(text, width):
            raise InvalidValue("invalid_code", expected=example)
        return text

    return read


def read_activity(value: str | int) -> str:
    """Return a CNAE of 7 digits; one of 6 gets back the zero that spreadsheets remove, if there is such a code.

    No code begins with two zeros (CNAE-Subclasses 2.3: divisions 01 to 99), so a shorter one is a class or group.
    """
    text = _bare(value, ".-/") if isinstance(value, str) else str(value)
    if _is_code(text, 6) and tables.description("cnaes", f"0{text}"):
        text = f"0{text}"
    if not _is_code(text, 7):
        raise InvalidValue("invalid_code", expected="6201501, 6201-5/01, 0111301")
    return text


def read_words(value: str) -> tuple[str, ...]:
    """Return the words of a name, each once, in the order of the alphabet."""
    if len(value) > MOST_LETTERS:
        raise InvalidValue("too_long", limit=MOST_LETTERS)
    words = fold(value)
    if not words:
        raise InvalidValue("without_words")
    return tuple(sorted({*words}))


def read_root(value: str | int) -> str:
    """Return the eight characters that all numbers of a company begin with."""
    text = _bare(_padded(value, 8), ".").upper()
    if not (text.isascii() and text.isalnum() and len(text) == 8):
        raise InvalidValue("invalid_code", expected="33000167, 33.000.167, 12ABC345")
    return text


def read_state(value: str) -> str:
    """Return a state by its letters."""
    return _chosen(value.strip().upper(), STATES)


def read_city(value: str | int) -> str:
    """Return a municipality's code of IBGE or SIAFI, or its name, as ``cities.find_cities`` takes them."""
    text = _padded(value, 4).strip()
    if len(text) > MOST_LETTERS:
        raise InvalidValue("too_long", limit=MOST_LETTERS)
    return text


def read_postal_code(value: str) -> str:
    """Return a CEP, or its first five digits."""
    text = _bare(value, ".-")
    if not (_is_code(text, 5) or _is_code(text, 8)):
        raise InvalidValue("invalid_code", expected="20031-170, 20031170, 20031")
    return text


def read_size(value: str | int) -> str:
    """Return the code of a company's size."""
    return _chosen(_padded(value, 2).strip(), SIZES)


def read_status(value: str | int) -> str:
    """Return the code of a status, which is given by code or word, or ``ANY_STATUS``."""
    text = _padded(value, 2).strip()
    if tables.description("situacoes", text):
        return text
    return tables.code_of("situacoes", text) or _chosen(text.lower(), (ANY_STATUS,), *STATUSES)


def read_partner(value: str | int) -> str:
    """Return the number of a company. Raise ``InvalidCnpj``."""
    return parse_cnpj(value)


def read_day(value: str) -> date:
    """Return a day that is written as in a record."""
    try:
        if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise InvalidValue("invalid_date")


def _padded(value: str | int, width: int) -> str:
    return f"{value:0{width}d}" if isinstance(value, int) else value


def _bare(text: str, mask: str) -> str:
    return text.strip().translate(dict.fromkeys(map(ord, mask)))


def _is_code(text: str, width: int) -> bool:
    return len(text) == width and text.isascii() and text.isdigit()


def _chosen(text: str, choices: tuple[str, ...], *others: Any) -> str:
    if text not in choices:
        raise InvalidValue("invalid_value", expected=", ".join((*choices, *others)))
    return text
