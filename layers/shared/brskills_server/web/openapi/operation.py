"""The declaration of one operation, from which its part of the document is built."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from brskills_server.web.translation import Text

OPEN_ERRORS = ("throttled", "internal_error")
KEY_ERRORS = ("missing_api_key", "invalid_api_key", *OPEN_ERRORS, "uncounted_limit", "store_unavailable")
BODY_ERRORS = ("malformed_json", "body_too_large", "unsupported_media_type", "invalid_fields")

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit")
"""Headers of a counted answer."""

KEY_EXAMPLE = "brsk_0123456789abcdefghijklmnopqrstuv3xAmPl"


@dataclass(frozen=True, slots=True)
class Body:
    """A JSON body: its model or schema, and examples by name."""

    shape: type[BaseModel] | dict[str, Any]
    examples: dict[str, Any] = field(default_factory=dict)
    required: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer: its model or ``None``, and in ``others`` schemas by further media types."""

    description: str
    model: type[BaseModel] | None = None
    example: Any = None
    headers: tuple[str, ...] = ()
    others: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """One route. ``errors`` are machine codes; ``description`` says when to use it and when not.

    ``schemas``: prefix of its models' names in the document, for custom skills.
    """

    method: str
    path: str
    id: str
    tag: str
    summary: Text
    description: Text
    answers: dict[int, Answer]
    errors: tuple[str, ...] = OPEN_ERRORS
    body: Body | None = None
    parameters: tuple[dict[str, Any], ...] = ()
    schemas: str = ""


def parameter(place: str, name: str, description: str, example: str, **schema: Any) -> dict[str, Any]:
    """Return a text parameter in ``header`` or ``query``, with further members of its schema."""
    return {
        "name": name,
        "in": place,
        "description": description,
        "schema": {"type": "string", **schema},
        "example": example,
    }
