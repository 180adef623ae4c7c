"""The fields of a Pix code in a row, as spreadsheets change them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from brskills.command.amount import with_decimal_point
from brskills.local import NAMES
from brskills.lote.bad_table import BadTable
from brskills.lote.number import is_scientific, plain_text
from taxid import cnpj, cpf

_REQUIRED = {"nome_recebedor", "cidade"}
_DECISIVE = {"chave", "url", "url_recorrencia"}
_WIDTHS = {"cep": 8, "mcc": 4, "ispb_saque": 8}
_TYPED_KEYS = {"cpf": 11, "cnpj": 14}
"""The digits of a field or key, of which a spreadsheet removes leading zeros."""

_FLAGS = {"uso_unico", "estrito"}
_YES = {"sim", "s", "true", "verdadeiro", "1"}
_NO = {"não", "nao", "n", "false", "falso", "0"}


class AmbiguousField(Exception):
    """A value with more than one meaning. ``code``: of the text that says so."""

    def __init__(self, field: str, code: str) -> None:
        super().__init__(code)
        self.field, self.code = field, code


def charge_columns(header: Sequence[str]) -> dict[str, int] | None:
    """Return the column of each field, or ``None`` if the header has too few of them.

    Raise `BadTable` for a field with two columns.

    >>> charge_columns(["Chave", "Nome recebedor", "Cidade", "Cliente"])
    {'chave': 0, 'nome_recebedor': 1, 'cidade': 2}
    """
    found: dict[str, int] = {}
    for index, name in enumerate(map(_field_name, header)):
        if name in NAMES and found.setdefault(name, index) != index:
            raise BadTable("twice", name=name)
    return found if found.keys() >= _REQUIRED and found.keys() & _DECISIVE else None


def read_charge(cells: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the charge in the cells of its fields, and the fields whose zeros were restored.

    Raise `AmbiguousField`.
    """
    given = {name: text for name, cell in cells.items() if (text := plain_text(cell))}
    whole = {name: _restore_zeros(name, text, given.get("tipo_chave", "")) for name, text in given.items()}
    repaired = [name for name in given if whole[name] != given[name]]
    return {name: _value(name, text) for name, text in whole.items()}, repaired


def _restore_zeros(name: str, text: str, key_type: str) -> str:
    if is_scientific(text) and name in {"chave", "txid", *_WIDTHS}:
        raise AmbiguousField(name, "digits_lost")
    if not (text.isascii() and text.isdecimal()):
        return text
    if name == "chave":
        return _whole_key(text, key_type.casefold())
    return text.zfill(_WIDTHS.get(name, 0))


def _whole_key(digits: str, key_type: str) -> str:
    """Return a key of digits. Raise `AmbiguousField` if it may be a phone, or a number that lost zeros."""
    if key_type or len(digits) == 11 or len(digits) >= 14:
        return digits.zfill(_TYPED_KEYS.get(key_type, 0))
    is_number = cpf.is_valid(digits.zfill(11)) or cnpj.is_valid(digits.zfill(14))
    if is_number and (len(digits) <= 10 or digits.startswith("55")):
        raise AmbiguousField("chave", "lost_zeros")
    return digits.zfill(14) if is_number else digits


def _value(name: str, text: str) -> str | bool:
    if name in _FLAGS and text.casefold() in _YES | _NO:
        return text.casefold() in _YES
    if name == "valor":
        return with_decimal_point(text)
    return text.casefold() if name == "tipo_chave" else text


def _field_name(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title.strip().casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[\s-]+", "_", plain)
