"""The fields of a provider's answer, found by its ``FieldMap``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from brskills_server.registry.company import CodigoDescricao
from brskills_server.registry.providers.reading.fields import FieldMap, Json, find, official
from brskills_server.registry.values import as_objects, read_country, read_date, read_text


@dataclass(frozen=True, slots=True)
class Source:
    """An answer, or an item of a list in it, and the map of its fields."""

    answer: Json
    fields: FieldMap

    def value(self, name: str) -> Any:
        """Return the provider's value of a field."""
        path = self.fields.get(name)
        return None if path is None or isinstance(path, Mapping) else find(self.answer, path)

    def text(self, name: str) -> str | None:
        """Return a field that is a text."""
        return read_text(self.value(name))

    def date(self, name: str) -> date | None:
        """Return a field that is a day."""
        return read_date(self.value(name))

    def part(self, name: str) -> Source:
        """Return a field that is an object in the record."""
        fields = self.fields.get(name)
        return Source(self.answer, fields if isinstance(fields, Mapping) else {})

    def rows(self, name: str) -> list[Source]:
        """Return a field that is a list in the record; without ``rows`` the answer has one item of it."""
        part = self.part(name)
        if "rows" not in part.fields:
            return [part]
        return [Source(row, part.fields) for row in as_objects(part.value("rows"))]

    def coded(self, table: str, name: str) -> CodigoDescricao | None:
        """Return a field that is a code and its text; see ``fields.official``."""
        part = self.part(name)
        code, text = official(table, part.value("codigo"), part.value("descricao"))
        return None if code is None and text is None else CodigoDescricao(codigo=code, descricao=text)

    def country(self) -> str | None:
        """Return the country, by Receita Federal's code or by its name."""
        part = self.part("pais")
        return read_country(part.value("codigo"), part.value("descricao"))
