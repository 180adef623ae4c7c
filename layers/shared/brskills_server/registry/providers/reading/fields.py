"""Maps from the fields of the record to those of a provider's answer.

A ``FieldMap`` has the shape of the record, with a path ("address.street") or a function of the answer for
each field that the provider has. ``rows`` leads to the items of a list, in which the other paths begin.
"""

from collections.abc import Callable, Mapping
from typing import Any, Union

from brskills_server.registry import tables
from brskills_server.registry.values import as_object, read_code, read_text

Json = dict[str, Any]
Path = str | Callable[[Json], object]
FieldMap = Mapping[str, Union[Path, "FieldMap"]]


def without_note(text: str) -> str:
    """Return a text without a final remark in parentheses, as in "Microempresa (ME)"."""
    start = text.find("(", text.rfind(")", 0, -1) + 1)
    return text[:start].rstrip() if start >= 0 and text.endswith(")") else text


def same(*names: str, within: str = "") -> dict[str, Path]:
    """Return fields with equal names in provider and record; ``within``: the path of their object."""
    return {name: f"{within}.{name}" if within else name for name in names}


def find(answer: Json, path: Path) -> Any:
    """Return the value at a path, ``None`` if absent. Raise ``InvalidResponse`` for a wrong structure."""
    if callable(path):
        return path(answer)
    *outer, name = path.split(".")
    for step in outer:
        answer = as_object(answer.get(step))
    return answer.get(name)


def official(table: str, code: object, text: object) -> tuple[str | None, str | None]:
    """Return a code and its official text, or the provider's where the table lacks the code.

    A missing code is found by its text.
    """
    known, given = read_code(code, tables.width(table)), read_text(text)
    if known is None and given is not None:
        known = tables.code_of(table, given) or tables.code_of(table, without_note(given))
    return known, (known and tables.description(table, known)) or given
