"""The values in a provider's answer, found by the provider's ``FieldMap``."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brskills_server.registry import tables, values
from brskills_server.registry.providers.provider import FieldMap, Json, Path


def same(*names: str, within: str = "") -> dict[str, Path]:
    """Return fields with equal names in provider and record; ``within``: the path of their object."""
    return {name: f"{within}.{name}" if within else name for name in names}


def find(answer: Json, path: Path) -> Any:
    """Return the value at a path, ``None`` if absent."""
    if callable(path):
        return path(answer)
    *outer, name = path.split(".")
    for step in outer:
        answer = values.as_object(answer.get(step))
    return answer.get(name)


def official(table: str, code: object, text: object) -> tuple[str | None, str | None]:
    """Return a code and its official text, or the provider's where the table lacks the code.

    A missing code is found by its text.
    """
    known, given = values.read_code(code, tables.width(table)), values.read_text(text)
    if known is None and given is not None:
        known = tables.code_of(table, given) or tables.code_of(table, without_note(given))
    return known, (known and tables.description(table, known)) or given


def without_note(text: str) -> str:
    """Return a text without a final remark in parentheses, as in "Microempresa (ME)"."""
    start = text.find("(", text.rfind(")", 0, -1) + 1)
    return text[:start].rstrip() if start >= 0 and text.endswith(")") else text


@dataclass(frozen=True, slots=True)
class Source:
    """An answer, or an item of a list in it, and the map of its fields; fields have the record's names."""

    answer: Json
    fields: FieldMap

    def value(self, name: str) -> Any:
        """Return the provider's value of a field."""
        path = self.fields.get(name)
        return None if path is None or isinstance(path, Mapping) else find(self.answer, path)

    def text(self, name: str) -> str | None:
        """Return a field that is a text."""
        return values.read_text(self.value(name))

    def date(self, name: str) -> datetime.date | None:
        """Return a field that is a day."""
        return values.read_date(self.value(name))

    def part(self, name: str) -> Source:
        """Return a field that is an object in the record."""
        fields = self.fields.get(name)
        return Source(self.answer, fields if isinstance(fields, Mapping) else {})

    def rows(self, name: str) -> list[Source]:
        """Return a field that is a list in the record; without ``rows`` the answer has one item of it."""
        part = self.part(name)
        if "rows" not in part.fields:
            return [part]
        return [Source(row, part.fields) for row in values.as_objects(part.value("rows"))]

    def coded(self, table: str, name: str) -> tuple[str | None, str | None]:
        """Return a field that is a code and its text; see :func:`official`."""
        part = self.part(name)
        return official(table, part.value("codigo"), part.value("descricao"))

    def country(self) -> tuple[str | None, str | None]:
        """Return the country's code at Receita Federal and its name; see :func:`official`."""
        return self.coded("paises", "pais")
