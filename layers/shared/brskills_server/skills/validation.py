"""Checking the content of a request against its model: every fault of its shape, by field."""

from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ValidationError

from brskills_server.skills.refusals import EXPECTED, InvalidRequest, RequestFault, unknown_fields, wrong_type
from brskills_server.skills.shape import as_whole_number

__all__ = ["WholeNumber", "check_request", "find_faults", "is_whole_number"]

Model = TypeVar("Model", bound=BaseModel)


WholeNumber = BeforeValidator(as_whole_number)
"""For a field that takes whole numbers: ``Annotated[int, WholeNumber]``."""


def check_request(model: type[Model], content: dict[str, Any]) -> Model:
    """The content as its model; raises ``InvalidRequest`` with every fault of its shape."""
    checked, faults = find_faults(model, content)
    if checked is None:
        raise InvalidRequest(*faults)
    return checked


def find_faults(model: type[Model], content: dict[str, Any]) -> tuple[Model | None, list[RequestFault]]:
    """The model, or ``None`` and the faults by field. A known field that is ``null`` counts as absent.

    Unknown fields are kept from pydantic, whose list of errors takes many times the memory of the request.
    """
    fields = model.model_fields
    given = {name: value for name, value in content.items() if value is not None and name in fields}
    unknown = unknown_fields(fields, content)
    try:
        checked = model.model_validate(given, strict=True)
    except ValidationError as error:
        faults = [_fault(model, field, found) for field, found in _by_field(error).items()]
        return None, faults + unknown
    return (None, unknown) if unknown else (checked, [])


def is_whole_number(model: type[BaseModel], field: str) -> bool:
    """Whether a field takes whole numbers and no text."""
    info = model.model_fields.get(field)
    kinds = () if info is None else (info.annotation, *get_args(info.annotation))
    return int in kinds and str not in kinds


def _by_field(error: ValidationError) -> dict[str, list[Any]]:
    faults: dict[str, list[Any]] = {}
    for found in error.errors(include_url=False, include_context=True, include_input=False):
        faults.setdefault(str(found["loc"][0]) if found["loc"] else "", []).append(found)
    return faults


def _fault(model: type[BaseModel], field: str, found: list[Any]) -> RequestFault:
    context = found[0].get("ctx", {})
    match found[0]["type"]:
        case "missing":
            return RequestFault(field, "required")
        case "literal_error":
            choices = context["expected"].replace(" or ", ", ")
            return RequestFault(field, "invalid_value", {"expected": choices})
        case "greater_than_equal" | "less_than_equal":
            return RequestFault(
                field, "out_of_range", {"expected": "…".join(map(str, _limits(model, field)))}
            )
        case "string_too_long":
            return RequestFault(field, "too_long", {"limit": context["max_length"]})
        case "string_too_short":
            return RequestFault(field, "empty")
        case "string_pattern_mismatch":
            return RequestFault(field, "invalid_form", {"expected": context["pattern"]})
        case other if other not in EXPECTED:
            return RequestFault(field, "rejected")
    # One finding for each member of a union: any of them would have been right.
    return wrong_type(field, *dict.fromkeys(EXPECTED.get(fault["type"], fault["type"]) for fault in found))


def _limits(model: type[BaseModel], field: str) -> Iterator[Any]:
    """The least and the greatest value that a field takes."""
    for rule in model.model_fields[field].metadata:
        if hasattr(rule, "ge"):
            yield rule.ge
        if hasattr(rule, "le"):
            yield rule.le
