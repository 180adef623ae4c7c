"""What a tool answers is sent twice, as text and as data: both are measured before it is counted."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.agents.server import Server
from brskills_server.agents.tools import tool_runner
from brskills_server.metering.ledger import Ledger
from brskills_server.registry.answer import Answer
from brskills_server.runtime.settings import Settings
from brskills_server.skills.answer_size import MAX_ANSWER_BYTES, sent_bytes
from brskills_server.web.body import MAX_BODY_BYTES
from brskills_server.web.response import Response
from brskills_server.web.sessions import Sessions
from tests.conftest import NOVEMBER

from .conftest import request_of


@pytest.fixture
def answered(accounts: Accounts, ledger: Ledger) -> Any:
    """A function that looks up a company with a name of so many quotation marks, and what that counted."""
    key = accounts.open("pro").api_key
    caller, _ = accounts.identify(key)

    def ask(letters: int, identifier: str = "1") -> tuple[Response, int]:
        record = json.dumps({"cnpj": "33000167000101", "razao_social": '"' * letters})
        answer = Answer(record, int(NOVEMBER), int(NOVEMBER))
        services: Any = SimpleNamespace(ledger=ledger, accounts=accounts)
        companies: Any = SimpleNamespace(find_company=lambda _, session: answer, find_companies=list)
        nothing: Any = dict  # not called here
        server = Server(
            Settings.from_environment({}), tool_runner(Sessions(services, companies)), nothing, nothing
        )
        params = {"name": "look_up_company", "arguments": {"cnpj": "33000167000101"}}
        message = {"jsonrpc": "2.0", "id": identifier, "method": "tools/call", "params": params}
        before = ledger.usage(caller)[0].calls
        response = server.post(request_of(message, {"X-API-Key": key}))
        return response, ledger.usage(caller)[0].calls - before

    return ask


def test_an_answer_that_is_too_long_as_it_is_sent_is_refused_uncounted(answered) -> None:
    response, counted = answered(1_000_000)
    result = json.loads(response.body)["result"]
    assert result["isError"]
    assert result["structuredContent"]["code"] == "sources_unavailable"
    assert counted == 0


def test_the_longest_answer_fits_with_the_longest_id(answered) -> None:
    longest = MAX_BODY_BYTES // 7
    fits, counted = answered(400_000, "\x01" * longest)
    assert counted == 1
    assert "isError" not in json.loads(fits.body)["result"]
    assert 4_000_000 < sent_bytes(fits.body) < MAX_ANSWER_BYTES
