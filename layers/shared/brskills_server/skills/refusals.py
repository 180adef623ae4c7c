"""Why a use case does not do what it was asked for: a stable code, and the data that its texts speak of.

Refusal             any refusal, by its machine code
└── InvalidRequest  the request breaks its model or a rule: every faulty field at once

Statuses, headers and sentences for people are decided where the answer is made (``web``, ``agents``).
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from brskills_server.metering.quota import Quota
from brskills_server.skills.field_texts import FIELD_TEXTS

__all__ = [
    "EXPECTED",
    "MOST_LISTED",
    "FieldFault",
    "InvalidRequest",
    "Refusal",
    "RequestFault",
    "WordedFault",
    "shortened",
    "unknown_fields",
    "wrong_type",
]

MOST_LISTED = 50
"""Faulty fields that a problem lists; ``errors_total`` has their number where there are more."""

_MOST_NAME = 80

EXPECTED = {
    "string_type": "texto (string)",
    "bool_type": "booleano (true, false)",
    "int_type": "inteiro (integer)",
    "is_instance_of": "número (number)",
    "decimal_type": "número (number)",
}
"""What would have been right, by pydantic's name of the fault."""


class FieldFault(Protocol):
    """One faulty field: which, a machine code and a text in ``pt`` or ``en``."""

    @property
    def field(self) -> str:
        """The field's public name; empty for the request as a whole."""

    @property
    def code(self) -> str:
        """The machine code."""

    def detail(self, language: str) -> str:
        """What is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class RequestFault:
    """A fault with a text of ``brskills_server.skills.field_texts``; ``params`` fill its gaps."""

    field: str
    code: str
    params: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def detail(self, language: str) -> str:
        """What is wrong and what would be right."""
        return FIELD_TEXTS[self.code][language].format(**self.params)


def wrong_type(field: str, *expected: str) -> RequestFault:
    """The fault of a value of another type than those ``expected``."""
    return RequestFault(field, "invalid_type", {"expected": " / ".join(expected)})


def unknown_fields(known: Iterable[str], content: Iterable[str]) -> list[RequestFault]:
    """Return a fault for each name of a request that is no field of it."""
    names = dict.fromkeys(known)
    params = {"known": ", ".join(names) or "—"}
    return [RequestFault(name, "unknown_field", params) for name in content if name not in names]


def shortened(name: str) -> str:
    """Return a caller's name for a field, cut where it is longer than any of ours: it is sent back."""
    return name if len(name) <= _MOST_NAME else f"{name[:_MOST_NAME]}…"


class WordedFault(NamedTuple):
    """A fault with texts of its own: ``pt`` and ``en``, complete."""

    field: str
    code: str
    texts: Mapping[str, str]

    def detail(self, language: str) -> str:
        """What is wrong and what would be right."""
        return self.texts[language]


class Refusal(Exception):
    """A use case ended without its answer.

    ``wording`` chooses among the texts of one code and begins with a colon, as ``:unconfirmed``.
    ``parameters`` fill the text, ``details`` are further members for machines, ``retry_after`` is in seconds.
    ``counts``: the caller learnt what was asked for (a confirmed absence) and pays; ``quota`` is
    then the month with it, and ``replayed`` says whether it was paid when the request came before.
    ``nothing_failed``: it is right whatever its status: what the sandbox stages, a demand that no source's
    data meets. ``repeated``: a failure that was answered, and counted, within the last minute.
    """

    def __init__(
        self,
        code: str,
        *,
        wording: str = "",
        parameters: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
        fields: Sequence[FieldFault] = (),
        retry_after: int | None = None,
        counts: bool = False,
        nothing_failed: bool = False,
        repeated: bool = False,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.wording = wording
        self.parameters = parameters or {}
        self.details = details or {}
        self.fields = fields
        self.retry_after = retry_after
        self.counts = counts
        self.nothing_failed = nothing_failed
        self.repeated = repeated
        self.quota: Quota | None = None
        self.replayed = False


class InvalidRequest(Refusal):
    """All the faults of a request at once, of which the first ``MOST_LISTED`` are kept.

    ``unlisted``: how many were found beside ``fields``.
    """

    def __init__(self, *fields: FieldFault, unlisted: int = 0) -> None:
        total = len(fields) + unlisted
        details = {"errors_total": total} if total > MOST_LISTED else {}
        super().__init__("invalid_fields", fields=fields[:MOST_LISTED], details=details)
        self.unlisted = total - len(self.fields)
