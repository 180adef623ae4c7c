"""Issues of a request: what is wrong with one field, by a machine code, in Portuguese and English."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from brskills_server.skills.field_texts import FIELD_TEXTS

EXPECTED = {
    "string_type": "texto (string)",
    "bool_type": "booleano (true, false)",
    "int_type": "inteiro (integer)",
    "is_instance_of": "número (number)",
    "decimal_type": "número (number)",
}
"""The expected type, by pydantic's name of the error."""

_MOST_NAME = 80


class FieldIssue(NamedTuple):
    """One rejected field: its public name (empty for the whole request), a machine code, texts by language.

    ``params`` fill the texts' placeholders; without any, texts are complete as they are.
    """

    field: str
    code: str
    texts: Mapping[str, str]
    params: Mapping[str, Any] = {}

    def detail(self, language: str) -> str:
        """Return what is wrong and what would be right, in ``pt`` or ``en``."""
        text = self.texts[language]
        return text.format(**self.params) if self.params else text


def issue(field: str, code: str, **params: Any) -> FieldIssue:
    """Return an issue with the texts that ``field_texts`` has for its code."""
    return FieldIssue(field, code, FIELD_TEXTS[code], params)


def wrong_type(field: str, *expected: str) -> FieldIssue:
    """Return the issue of a value of another type than those expected."""
    return issue(field, "invalid_type", expected=" / ".join(expected))


def unknown_fields(known: Iterable[str], content: Iterable[str]) -> list[FieldIssue]:
    """Return an issue for each name in a request that is not one of its fields."""
    names = dict.fromkeys(known)
    texts, params = FIELD_TEXTS["unknown_field"], {"known": ", ".join(names) or "—"}
    return [FieldIssue(name, "unknown_field", texts, params) for name in content if name not in names]


def shorten_name(name: str) -> str:
    """Return a caller's name for a field, cut where it is longer than any known name: it is sent back."""
    return name if len(name) <= _MOST_NAME else f"{name[:_MOST_NAME]}…"
