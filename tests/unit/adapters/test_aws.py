"""A client has all handlers of botocore for its service, and one that rejects truncated answers."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from botocore.session import get_session

from brskills_server.adapters.aws import Service, aws_client

EVENTS = (
    "creating-client-class", "provide-client-params", "before-parameter-build", "before-endpoint-resolution",
    "before-call", "request-created", "choose-signer", "before-sign", "before-send", "response-received",
    "needs-retry", "before-parse", "after-call", "after-call-error", "getattr",
)  # fmt: skip
OURS = {"after-call": ["_reject_truncated"]}


def handlers(client: Any, event: str) -> list[str]:
    """Return the names of an event's handlers in order; clients have separate instances.

    Powertools, once anything has loaded it, adds one to every session, which only names it to AWS.
    """
    emitter = client.meta.events
    names = [
        getattr(handler, "__qualname__", type(handler).__name__)
        for handler in emitter._emitter._handlers.prefix_search(emitter._alias_event_name(event))
    ]
    return [name for name in names if "powertools" not in name]


@pytest.mark.parametrize("service", get_args(Service))
def test_a_client_has_every_handler_of_its_service(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    ours, whole = aws_client(service), get_session().create_client(service)
    names = {service, ours.meta.service_model.service_id.hyphenize(), ours.meta.service_model.endpoint_prefix}
    found = 0
    for operation in ours.meta.service_model.operation_names:
        for event in [f"{event}.{name}.{operation}" for event in EVENTS for name in names]:
            own = OURS.get(event.partition(".")[0], [])
            registered = handlers(ours, event)
            assert registered == handlers(whole, event) + own
            found += len(registered)
    assert found
