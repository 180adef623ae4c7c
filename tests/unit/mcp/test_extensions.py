"""Extensions are stated by each side, and by the server only to clients that state them."""

from __future__ import annotations

import pytest

from brskills_server.agents.extensions import capabilities_for, stated_extensions
from brskills_server.agents.message import Message
from brskills_server.agents.protocol_versions import CAPABILITIES_KEY

UI = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}


@pytest.mark.parametrize(
    "params", [{"_meta": {CAPABILITIES_KEY: {"extensions": UI}}}, {"capabilities": {"extensions": UI}}]
)
def test_a_client_states_them_in_its_envelope_or_its_handshake(params: dict[str, object]) -> None:
    assert stated_extensions(Message("initialize", params, 1)) == UI


@pytest.mark.parametrize("stated", [None, [], "x", {}, {"extensions": None}, {"extensions": ["x"]}])
def test_whatever_else_states_none(stated: object) -> None:
    for params in ({"_meta": {CAPABILITIES_KEY: stated}}, {"capabilities": stated}):
        assert stated_extensions(Message("initialize", params, 1)) == {}


def test_an_extension_that_is_not_the_servers_is_not_declared() -> None:
    asked = {"capabilities": {"extensions": {"example.com/x": {}}}}
    assert "extensions" not in capabilities_for(Message("initialize", asked, 1), ())
