"""Checking a request against its pydantic model: every issue of its shape, by field."""

from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ValidationError

from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import EXPECTED, FieldIssue, issue, unknown_fields, wrong_type
from brskills_server.skills.shape import as_whole_number

Model = TypeVar("Model", bound=BaseModel)


WholeNumber = BeforeValidator(as_whole_number)
"""For a field that takes whole numbers: ``Annotated[int, WholeNumber]``."""


def check_request(model: type[Model], content: dict[str, Any]) -> Model:
    """Return the content as its model. Raise ``InvalidRequest`` with every issue of its shape."""
    checked, issues = find_issues(model, content)
    if checked is None:
        raise InvalidRequest(*issues)
    return checked


def find_issues(model: type[Model], content: dict[str, Any]) -> tuple[Model | None, list[FieldIssue]]:
    """Return the model, or ``None`` and the issues by field. A known field that is ``null`` counts as absent.

    Unknown fields are kept from pydantic, whose list of errors takes many times the memory of the request.
    """
    fields = model.model_fields
    given = {name: value for name, value in content.items() if value is not None and name in fields}
    unknown = unknown_fields(fields, content)
    try:
        checked = model.model_validate(given, strict=True)
    except ValidationError as error:
        issues = [_issue(model, field, found) for field, found in _by_field(error).items()]
        return None, issues + unknown
    return (None, unknown) if unknown else (checked, [])


def is_whole_number(model: type[BaseModel], field: str) -> bool:
    """Return whether a field takes whole numbers and no text."""
    info = model.model_fields.get(field)
    types = () if info is None else (info.annotation, *get_args(info.annotation))
    return int in types and str not in types


def _by_field(error: ValidationError) -> dict[str, list[Any]]:
    errors: dict[str, list[Any]] = {}
    for found in error.errors(include_url=False, include_context=True, include_input=False):
        errors.setdefault(str(found["loc"][0]) if found["loc"] else "", []).append(found)
    return errors


def _issue(model: type[BaseModel], field: str, found: list[Any]) -> FieldIssue:
    context = found[0].get("ctx", {})
    match found[0]["type"]:
        case "missing":
            return issue(field, "required")
        case "literal_error":
            return issue(field, "invalid_value", expected=context["expected"].replace(" or ", ", "))
        case "greater_than_equal" | "less_than_equal":
            return issue(field, "out_of_range", expected="…".join(map(str, _limits(model, field))))
        case "string_too_long":
            return issue(field, "too_long", limit=context["max_length"])
        case "string_too_short":
            return issue(field, "empty")
        case "string_pattern_mismatch":
            return issue(field, "invalid_form", expected=context["pattern"])
        case other if other not in EXPECTED:
            return issue(field, "rejected")
    # A union has an error for each member, any of which would be accepted.
    return wrong_type(field, *dict.fromkeys(EXPECTED.get(error["type"], error["type"]) for error in found))


def _limits(model: type[BaseModel], field: str) -> Iterator[Any]:
    """Yield the least and the greatest value that a field takes."""
    for rule in model.model_fields[field].metadata:
        if hasattr(rule, "ge"):
            yield rule.ge
        if hasattr(rule, "le"):
            yield rule.le
