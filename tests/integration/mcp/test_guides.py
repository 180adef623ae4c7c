"""The calls that the guides show succeed in their order, and count what the guides say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from brskills_server.agents.skill_files import TITLES

from .conftest import Agent

GUIDES = [name for name in TITLES if name != "brskills"]


def read(agent: Agent, uri: str) -> str:
    message = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
    (contents,) = agent.http.post("/mcp", json=message).json()["result"]["contents"]
    text: str = contents["text"]
    return text


def calls_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(block) for block in re.findall("```json\n(.*?)```", text, re.DOTALL)]


@pytest.mark.parametrize("name", GUIDES)
def test_every_call_of_a_guide_is_answered(agent: Agent, key: str, name: str) -> None:
    for call in calls_in(read(agent, f"skill://{name}/SKILL.md")):
        result = agent.result(call["name"], call["arguments"], key)
        assert "isError" not in result, result
        answer = result["structuredContent"]
        assert answer.get("valido", True), answer
        for entry in answer.get("resultados", []):
            assert entry["status"] in {200, 201}


def test_only_the_code_that_is_made_counts(agent: Agent, key: str) -> None:
    for name in GUIDES:
        for call in calls_in(read(agent, f"skill://{name}/SKILL.md")):
            agent.result(call["name"], call["arguments"], key)
    assert agent.calls_of(key) == 1  # everything else is free, or of the sandbox


def test_the_page_and_the_resource_are_one_text(agent: Agent) -> None:
    assert read(agent, "skill://brskills/SKILL.md") == agent.http.get("/SKILL.md").text
