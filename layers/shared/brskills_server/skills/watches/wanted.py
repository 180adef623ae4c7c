"""The request to watch companies: one, or a list of which each item is checked alone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.skills.cnpj.look_up_company import NUMBER_SHAPE, check_number
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue, wrong_type
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.turns import each_in_turns

MOST_ITEMS, MOST_REFERENCE = 1_000, 100
REFERENCE_FORM = r"^[^\x00-\x1f\x7f]{0,100}$"

_REFERENCE = Shape(str, most=MOST_REFERENCE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SANDBOX = "SANDBOX"
_MOST_ISSUES = 10  # of an item
_ONE: Mapping[str, Shape] = {"cnpj": NUMBER_SHAPE, "referencia": _REFERENCE}
SHAPES: Mapping[str, Shape] = {**_ONE, "cnpjs": Shape(object)}

Item = tuple[str, str | None] | InvalidRequest
"""A canonical number with the caller's reference, or what is wrong with it."""


class Wanted(NamedTuple):
    """Items in the request's order; ``is_list``: the answer has an entry for each."""

    items: Sequence[Item]
    is_list: bool


def read_wanted(content: dict[str, Any]) -> Wanted:
    """Return what a request asks to watch. Raise ``InvalidRequest`` with all issues outside of a list."""
    if content.get("cnpjs") is None:
        return Wanted([_read(SHAPES, content)], is_list=False)
    if issues := _list_issues(content):
        raise InvalidRequest(*issues)
    return Wanted(each_in_turns(_item, content["cnpjs"]), is_list=True)


def read_number(shapes: Mapping[str, Shape], content: dict[str, Any]) -> str:
    """Return the canonical number of a request. Raise ``InvalidRequest`` with all issues.

    Of the numbers that begin like a sandbox company's only those exist.
    """
    cnpj = check_number(shapes, content)
    if cnpj.startswith(_SANDBOX) and cnpj not in SANDBOX_NUMBERS:
        raise InvalidRequest(issue("cnpj", "invalid_cnpj"))
    return cnpj


def _read(shapes: Mapping[str, Shape], content: dict[str, Any]) -> tuple[str, str | None]:
    """Return number and reference. Raise ``InvalidRequest`` with all issues."""
    reference = content.get("referencia")
    issues = []
    if isinstance(reference, str) and _CONTROL.search(reference):
        issues.append(issue("referencia", "invalid_form", expected=REFERENCE_FORM))
    try:
        cnpj = read_number(shapes, content)
    except InvalidRequest as invalid:
        raise InvalidRequest(*invalid.fields, *issues, unlisted=invalid.unlisted) from None
    if issues:
        raise InvalidRequest(*issues)
    return cnpj, reference


def _item(content: Any) -> Item:
    try:
        return _read(_ONE, content if isinstance(content, dict) else {"cnpj": content})
    except InvalidRequest as invalid:
        return _shortened(invalid).without_frames()


def _shortened(invalid: InvalidRequest) -> InvalidRequest:
    """Return the issues of an item so few that a thousand such fit into an answer."""
    total = len(invalid.fields) + invalid.unlisted
    if total > _MOST_ISSUES:
        invalid.fields, invalid.details = invalid.fields[:_MOST_ISSUES], {"errors_total": total}
    return invalid


def _list_issues(content: dict[str, Any]) -> list[FieldIssue]:
    """Return what is wrong with a request that has a list, but for its items."""
    given = {name: value for name, value in content.items() if name not in _ONE}
    issues = check_shape({"cnpjs": SHAPES["cnpjs"]}, given)
    others = [name for name in _ONE if content.get(name) is not None]
    if others:
        issues.append(issue("cnpjs", "conflicting_fields", others=", ".join(others)))
    items = content["cnpjs"]
    if not isinstance(items, list):
        issues.append(wrong_type("cnpjs", "lista (array)"))
    elif not 1 <= len(items) <= MOST_ITEMS:
        issues.append(issue("cnpjs", "invalid_length", expected=f"1…{MOST_ITEMS}"))
    return issues
