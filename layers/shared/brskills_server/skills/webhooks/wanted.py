"""Requests about webhooks, checked: which one, what it is to be, and how callers see it."""

import re
from collections.abc import Mapping
from typing import Any

from brskills_server.registry.dates import iso_instant
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue, wrong_type
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.webhooks.address import MOST_CHARACTERS, find_fault
from brskills_server.webhooks.webhook import EVENT_TYPES, ON_REQUEST, Webhook

MOST_DESCRIPTION = 200
DESCRIPTION_FORM = r"^[^\x00-\x1f\x7f]{0,200}$"

ONE: Mapping[str, Shape] = {"id": Shape(str, required=True)}
_URL = Shape(str, least=1, most=MOST_CHARACTERS)
_REST: Mapping[str, Shape] = {"eventos": Shape(object), "descricao": Shape(str, most=MOST_DESCRIPTION)}
NEW: Mapping[str, Shape] = {"url": Shape(str, required=True, least=1, most=MOST_CHARACTERS), **_REST}
CHANGE: Mapping[str, Shape] = {"url": _URL, **_REST, "ativo": Shape(bool)}

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ID = re.compile(r"wh_[0-9A-Za-z]{1,64}")
_EVENTS = {
    "pt": "Valor inválido. Use cada um destes no máximo uma vez: {expected}.",
    "en": "Invalid value. Use each of these at most once: {expected}.",
}


def read_id(content: dict[str, Any]) -> str:
    """Return the id of a request that has nothing else, as ``named``. Raise ``InvalidRequest``."""
    if issues := check_shape(ONE, content):
        raise InvalidRequest(*issues)
    return named(content)


def named(content: dict[str, Any]) -> str:
    """Return the id in a checked request, empty for a text that no webhook may have."""
    return content["id"] if _ID.fullmatch(content["id"]) else ""


def not_found() -> ApiError:
    """Return the error of a webhook that the account does not have."""
    return ApiError("not_found", wording=":webhook")


def read_fields(
    shapes: Mapping[str, Shape], content: dict[str, Any], *, allow_loopback: bool
) -> dict[str, Any]:
    """Return the fields of a ``Webhook`` that a request sets. Raise ``InvalidRequest`` with all issues."""
    issues = check_shape(shapes, content)
    faulty = {found.field for found in issues}
    issues += _issues({name: value for name, value in content.items() if name not in faulty}, allow_loopback)
    if issues:
        raise InvalidRequest(*issues)
    found: dict[str, Any] = {}
    if (url := content.get("url")) is not None:
        found["url"] = url
    if (events := content.get("eventos")) is not None:
        found["events"] = tuple(events)
    if "descricao" in content:
        found["description"] = content["descricao"] or None
    if (active := content.get("ativo")) is not None:
        found["inactive"] = "" if active else ON_REQUEST
    return found


def as_answer(webhook: Webhook) -> dict[str, Any]:
    """Return a webhook as callers see it, without its secrets."""
    return {
        "id": webhook.id,
        "url": webhook.url,
        "eventos": list(webhook.events),
        "descricao": webhook.description,
        "ativo": not webhook.inactive,
        "motivo": webhook.inactive or None,
        "criado_em": iso_instant(webhook.created_at),
    }


def _issues(content: Mapping[str, Any], allow_loopback: bool) -> list[FieldIssue]:
    """Return what is wrong with the values of fields that have the right types."""
    issues = []
    url, events, description = (content.get(name) for name in ("url", "eventos", "descricao"))
    if url is not None and (fault := find_fault(url, allow_loopback=allow_loopback)):
        issues.append(issue("url", fault))
    if events is not None and (wrong := _issue_of_events(events)):
        issues.append(wrong)
    if description is not None and _CONTROL.search(description):
        issues.append(issue("descricao", "invalid_form", expected=DESCRIPTION_FORM))
    return issues


def _issue_of_events(events: Any) -> FieldIssue | None:
    if not isinstance(events, list):
        return wrong_type("eventos", "lista (array)")
    if not events:
        return issue("eventos", "empty")
    texts = [each for each in events if isinstance(each, str) and each in EVENT_TYPES]
    if len(set(texts)) < len(events):
        return FieldIssue("eventos", "invalid_value", _EVENTS, {"expected": ", ".join(EVENT_TYPES)})
    return None
