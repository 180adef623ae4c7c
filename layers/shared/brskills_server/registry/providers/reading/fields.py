"""Where a provider's answer has the fields of the record.

A ``FieldMap`` has the shape of the record: the record's names on the left, the provider's on the right.
A path is a field's name after the names of the objects around it ("address.street"); what a path
cannot express (one text that holds two fields, a list that must be searched) is a function of the
answer. For a list ``rows`` leads to its items, and the other paths begin in each of them. What the
provider does not tell is left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Union

from brskills_server.registry import tables
from brskills_server.registry.values import as_object, read_code, read_text

__all__ = ["FieldMap", "Json", "Path", "find", "official", "same", "without_note"]

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


def official(table: str, code: object, text: object) -> tuple[str | None, str | None]:
    """A code and its text as a provider writes them: the official text where the table has the code.

    Where only a text is given the table tells the code.
    """
    known, told = read_code(code, tables.width(table)), read_text(text)
    if known is None and told is not None:
        known = tables.code_of(table, told) or tables.code_of(table, without_note(told))
    return known, (known and tables.description(table, known)) or told
