"""Problem details (RFC 9457): every error of the API, made in one place.

Problem             any refusal, by its machine code
└── InvalidFields   422 with every faulty field
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from dataclasses import field as default
from typing import TYPE_CHECKING, Any, Protocol

from web.catalogue import FIELD_TEXTS, PROBLEMS
from web.response import Response

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FieldError", "FieldFault", "InvalidFields", "Problem", "render"]

MEDIA_TYPE = "application/problem+json"


class FieldError(Protocol):
    """One faulty field: which, a machine code and a text in ``pt`` or ``en``."""

    @property
    def field(self) -> str:
        """The field's public name."""

    @property
    def code(self) -> str:
        """The machine code."""

    def detail(self, language: str) -> str:
        """What is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class FieldFault:
    """A fault in the shape of a request, with the texts of the web's catalogue."""

    field: str
    code: str
    params: dict[str, Any] = default(default_factory=dict)

    def detail(self, language: str) -> str:
        """What is wrong and what would be right."""
        return FIELD_TEXTS[self.code][language].format(**self.params)


class Problem(Exception):
    """An error answer: its code decides status and texts; ``extra`` members go beside the standard ones.

    ``wording`` chooses among several texts that one code has.
    """

    def __init__(
        self,
        code: str,
        *,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        wording: str = "",
        **extra: Any,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.wording = wording
        self.params = params or {}
        self.headers = headers or {}
        self.extra = extra
        self.errors: Sequence[FieldError] = ()


class InvalidFields(Problem):
    """422: all the faults of a request at once."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("invalid_fields")
        self.errors = errors


def render(problem: Problem, request_id: str, language: str) -> Response:
    """The answer that tells a caller of a problem, in their language."""
    kind = PROBLEMS[problem.code + problem.wording]
    text = kind.texts[language]
    content: dict[str, Any] = {
        "type": f"urn:brskills:problem:{problem.code}",
        "title": text.title,
        "status": kind.status,
        "detail": text.detail.format(**problem.params),
        "code": problem.code,
        "request_id": request_id,
        **problem.extra,
    }
    if problem.errors:
        content["errors"] = [
            {"campo": error.field, "code": error.code, "detail": error.detail(language)}
            for error in problem.errors
        ]
    headers = {
        "Content-Type": MEDIA_TYPE,
        "Content-Language": language,
        "Cache-Control": "no-store",
        "Vary": "Accept, Accept-Language",
        **problem.headers,
    }
    return Response(kind.status, json.dumps(content, ensure_ascii=False, separators=(",", ":")), headers)
