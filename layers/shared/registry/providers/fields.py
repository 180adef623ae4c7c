"""Where a provider's answer has the fields of the record.

A ``FieldMap`` has the shape of the record: the record's names on the left, the provider's on the right.
A path is a field's name after the names of the objects around it ("address.street"); what a path
cannot express (one text that holds two fields, a list that must be searched) is a function of the
answer. For a list ``rows`` leads to its items, and the other paths begin in each of them. What the
provider does not tell is left out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Union

from registry import tables
from registry.company import CodigoDescricao
from registry.values import as_object, as_objects, read_code, read_country, read_date, read_text

__all__ = ["FieldMap", "Json", "Path", "Source", "find", "same", "without_note"]

Json = dict[str, Any]
Path = str | Callable[[Json], object]
FieldMap = Mapping[str, Union[Path, "FieldMap"]]


def without_note(text: str) -> str:
    """A text without a last remark in parentheses, as in "Microempresa (ME)"."""
    start = text.find("(", text.rfind(")", 0, -1) + 1)
    return text[:start].rstrip() if start >= 0 and text.endswith(")") else text


def same(*names: str, within: str = "") -> dict[str, Path]:
    """Fields that the provider calls as the record does; ``within`` is the path of an object around them."""
    return {name: f"{within}.{name}" if within else name for name in names}


def find(answer: Json, path: Path) -> Any:
    """The value at a path, ``None`` if it is absent; raises ``InvalidResponse`` for a wrong structure."""
    if callable(path):
        return path(answer)
    *outer, name = path.split(".")
    for step in outer:
        answer = as_object(answer.get(step))
    return answer.get(name)


@dataclass(frozen=True, slots=True)
class Source:
    """An answer, or an item of a list in it, and the map of the part of the record that is read from it."""

    answer: Json
    fields: FieldMap

    def value(self, name: str) -> Any:
        """What the provider writes for a field."""
        path = self.fields.get(name)
        return None if path is None or isinstance(path, Mapping) else find(self.answer, path)

    def text(self, name: str) -> str | None:
        """A field that is a text."""
        return read_text(self.value(name))

    def date(self, name: str) -> date | None:
        """A field that is a day."""
        return read_date(self.value(name))

    def part(self, name: str) -> "Source":
        """A field that is an object in the record."""
        fields = self.fields.get(name)
        return Source(self.answer, fields if isinstance(fields, Mapping) else {})

    def rows(self, name: str) -> list["Source"]:
        """A field that is a list in the record; without ``rows`` the answer has only one item of it."""
        part = self.part(name)
        if "rows" not in part.fields:
            return [part]
        return [Source(row, part.fields) for row in as_objects(part.value("rows"))]

    def coded(self, table: str, name: str) -> CodigoDescricao | None:
        """A field that is a code and its text: the official text where the table has the code.

        Where only a text is given the table tells the code.
        """
        part = self.part(name)
        code, text = read_code(part.value("codigo"), tables.width(table)), part.text("descricao")
        if code is None and text is None:
            return None
        if code is None and text is not None:
            code = tables.code_of(table, text) or tables.code_of(table, without_note(text))
        return CodigoDescricao(codigo=code, descricao=(code and tables.description(table, code)) or text)

    def country(self) -> str | None:
        """The country, by Receita Federal's code or by its name."""
        part = self.part("pais")
        return read_country(part.value("codigo"), part.value("descricao"))
