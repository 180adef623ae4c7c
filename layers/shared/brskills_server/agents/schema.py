"""A pydantic model as the JSON Schema that every tool-calling model understands.

One flat object: no ``$ref``, no ``null`` (an optional field is left out), one type a field, nothing but the
fields that are listed. A field of several types is shown as text, which the skills also read as numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["flat_schema"]

_KEPT = (
    "type", "description", "enum", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "default", "examples",
)  # fmt: skip


def flat_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model whose fields are texts, whole numbers and booleans."""
    full = model.model_json_schema()
    return {
        "type": "object",
        "properties": {name: _flat(field) for name, field in full.get("properties", {}).items()},
        "required": full.get("required", []),
        "additionalProperties": False,
    }


def _flat(field: dict[str, Any]) -> dict[str, Any]:
    options = [option for option in field.get("anyOf", []) if option != {"type": "null"}]
    chosen = next((option for option in options if option["type"] == "string"), options[0] if options else {})
    merged = {**chosen, **field}
    return {name: merged[name] for name in _KEPT if merged.get(name) is not None}
