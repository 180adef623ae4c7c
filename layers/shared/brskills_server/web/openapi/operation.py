"""Declarations of operations, from which the OpenAPI document is built."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from pydantic import BaseModel

from brskills_server.web.translation import Text

PUBLIC_ERRORS = ("throttled", "internal_error")
"""Errors of endpoints without a key."""

KEY_ERRORS = ("missing_api_key", "invalid_api_key", *PUBLIC_ERRORS, "uncounted_limit", "store_unavailable")
BODY_ERRORS = ("malformed_json", "body_too_large", "unsupported_media_type", "invalid_fields")

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit")
"""Headers of a counted response."""

KEY_EXAMPLE = "brsk_0123456789abcdefghijklmnopqrstuv3xAmPl"


@dataclass(frozen=True, slots=True)
class Body:
    """A JSON body: its model or schema, and examples by name."""

    shape: type[BaseModel] | dict[str, Any]
    examples: dict[str, Any] = field(default_factory=dict)
    required: bool = True


@dataclass(frozen=True, slots=True)
class Response:
    """A successful response: its model or ``None``, and in ``others`` schemas by further media types."""

    description: str
    model: type[BaseModel] | None = None
    example: Any = None
    headers: tuple[str, ...] = ()
    others: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """One endpoint. ``errors`` are codes of problems; ``description`` says when to use it and when not.

    ``schemas``: prefix of its models' names in the document, for custom skills.
    """

    method: str
    path: str
    _: KW_ONLY
    id: str
    tag: str
    summary: Text
    description: Text
    responses: dict[int, Response]
    errors: tuple[str, ...] = PUBLIC_ERRORS
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
