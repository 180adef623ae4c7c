"""The rows of a snapshot's log of changes: what one key's row says differently from the snapshot before.

A row is ``NEW`` or ``GONE``, or for each field of the record that differs its letter and the raw values that
it is made of, before and after. E-mail, telephones and fax are left out: many are a person's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from brskills_server.registry.snapshot.rows import (
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    partner_fields,
)

NEW, GONE = "+", "-"
"""The rows of an establishment that is in the later snapshot alone, or in the earlier one alone."""

_OPPOSITE = {NEW: GONE, GONE: NEW, "": ""}

FIELDS: Mapping[str, Sequence[str]] = {
    "razao_social": ("name",),
    "nome_fantasia": ("trade_name",),
    "situacao_cadastral": ("status", "status_date", "status_reason"),
    "natureza_juridica": ("nature",),
    "porte": ("size",),
    "capital_social": ("capital",),
    "cnae_principal": ("activity",),
    "cnaes_secundarios": ("other_activities",),
    "endereco": (
        "street_type", "street", "number", "complement", "district", "postal_code", "state", "city",
        "country", "city_abroad",
    ),
    "simples": ("simples", "simples_since", "simples_until", "simples_void"),
    "mei": ("mei", "mei_since", "mei_until", "mei_void"),
    "socios": ("partners",),
}  # fmt: skip
"""Field of the record → the fields of a row that it is made of. None is in both kinds of row."""

_LETTERS = dict(zip(FIELDS, "rtunpcaoesmq", strict=True))
_NAMES = {letter: name for name, letter in _LETTERS.items()}
_AFTER = "\x1c"  # between the values before and after
_AS_BEFORE = ITEM_SEPARATOR


class RowChange(NamedTuple):
    """Raw values of one of ``FIELDS`` in the order there, or partners, who left and who came."""

    name: str
    before: list[str]
    after: list[str]


def write_changes(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return the row of changes between two rows, by field; empty if none of ``FIELDS`` differs.

    Raise ``ValueError`` for a malformed partner.
    """
    changes = (_change(name, before, after) for name, fields in FIELDS.items() if fields[0] in before)
    return FIELD_SEPARATOR.join(filter(None, changes))


def read_changes(row: str) -> Iterator[RowChange]:
    """Yield the changes of a row that is neither ``NEW`` nor ``GONE``. Raise ``ValueError`` for others."""
    for text in row.split(FIELD_SEPARATOR):
        name = _NAMES.get(text[:1], "")
        before, separator, after = text[1:].partition(_AFTER)
        if not name or not separator:
            raise ValueError("a change of another form")
        if name == "socios":
            yield RowChange(name, _items(before), _items(after))
            continue
        old, new = before.split(PART_SEPARATOR), after.split(PART_SEPARATOR)
        if not len(old) == len(new) == len(FIELDS[name]):
            raise ValueError("a change with another number of fields")
        yield RowChange(
            name, old, [was if now == _AS_BEFORE else now for was, now in zip(old, new, strict=True)]
        )


def invert(row: str) -> str:
    """Return the row of the changes back. Raise ``ValueError`` for a malformed one."""
    if row in _OPPOSITE:
        return _OPPOSITE[row]
    return FIELD_SEPARATOR.join(
        _write_items(change.after, change.before)
        if change.name == "socios"
        else _write_parts(change.name, change.after, change.before)
        for change in read_changes(row)
    )


def _change(name: str, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    before, after = ([fields[field] for field in FIELDS[name]] for fields in (old, new))
    if before == after:
        return ""
    if name == "socios":
        return _partners_change(_items(before[0]), _items(after[0]))
    if name == "cnaes_secundarios" and {*before[0].split(",")} == {*after[0].split(",")}:
        return ""
    return _write_parts(name, before, after)


def _partners_change(before: list[str], after: list[str]) -> str:
    """Return who left and who came; a partner is a name, a document and a role, whatever else they have."""
    old, new = _by_identity(before), _by_identity(after)
    left = [text for identity, text in old.items() if identity not in new]
    came = [text for identity, text in new.items() if identity not in old]
    return _write_items(left, came) if left or came else ""


def _write_parts(name: str, before: Sequence[str], after: Sequence[str]) -> str:
    marked = (_AS_BEFORE if was == now else now for was, now in zip(before, after, strict=True))
    return f"{_LETTERS[name]}{PART_SEPARATOR.join(before)}{_AFTER}{PART_SEPARATOR.join(marked)}"


def _write_items(left: Sequence[str], came: Sequence[str]) -> str:
    return f"{_LETTERS['socios']}{ITEM_SEPARATOR.join(left)}{_AFTER}{ITEM_SEPARATOR.join(came)}"


def _by_identity(partners: list[str]) -> dict[tuple[str, ...], str]:
    """Return partners by name, document and role, the first of each."""
    found: dict[tuple[str, ...], str] = {}
    for text in partners:
        fields = partner_fields(text)
        found.setdefault((fields["name"], fields["document"], fields["role"]), text)
    return found


def _items(text: str) -> list[str]:
    return text.split(ITEM_SEPARATOR) if text else []
