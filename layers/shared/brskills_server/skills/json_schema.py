"""JSON Schemas of models in the subset that every tool-calling model understands.

One flat object: no ``$ref``, no ``null`` (an optional field is left out), one type for each field, no further
fields. A field of several types becomes text, which the skills also read as numbers.
"""

from typing import Any

from brskills_server.skills.skill import Model

_KEPT = (
    "type", "description", "enum", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "default", "examples",
)  # fmt: skip


def flat_schema(model: Model) -> dict[str, Any]:
    """Return the schema of a model whose fields are texts, whole numbers and booleans."""
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
