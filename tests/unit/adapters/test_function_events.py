"""Events that a function sends to itself; where they cannot be sent, nothing happens."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError
from botocore.session import Session
from botocore.stub import Stubber

from brskills_server.adapters.function_events import FunctionEvents

EVENT = {"httpMethod": "TASK", "resource": "/mcp", "body": '{"é": 1}'}


@pytest.fixture
def events() -> FunctionEvents:
    events = FunctionEvents("stack-McpFunction")
    vars(events)["_client"] = Session().create_client(
        "lambda", "sa-east-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    return events


def test_an_event_is_sent_to_the_live_version_and_not_waited_for(events: FunctionEvents) -> None:
    asked = {
        "FunctionName": "stack-McpFunction:live",
        "InvocationType": "Event",
        "Payload": json.dumps(EVENT),
    }
    with Stubber(events._client) as stub:
        stub.add_response("invoke", {"StatusCode": 202}, asked)
        events.send(EVENT)
        stub.assert_no_pending_responses()


@pytest.mark.parametrize("code", ["TooManyRequestsException", "AccessDeniedException"])
def test_an_event_that_is_refused_is_left_to_the_next_reader(events: FunctionEvents, code: str) -> None:
    with Stubber(events._client) as stub:
        stub.add_client_error("invoke", code)
        events.send(EVENT)


def test_one_that_is_lost_too(events: FunctionEvents, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise ConnectTimeoutError(endpoint_url="https://lambda")

    monkeypatch.setattr(events._client, "invoke", fail)
    events.send(EVENT)
