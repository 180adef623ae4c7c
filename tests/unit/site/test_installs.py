"""The snippets for agents' programs and libraries: of the names that the clients' own scripts use.

``make e2e-mcp`` runs those of libraries as they are.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from pathlib import Path

import pytest

from functions.site.app import FILES, INSTALLS

CLIENTS = Path(__file__).parents[2] / "clients"
SCRIPTS = {
    "mcp": "mcp_2",
    "langchain": "langchain_tools",
    "openai-agents": "openai_agents",
    "pydantic-ai": "pydantic_agent",
    "strands": "strands_tools",
}
# Not in the scripts: the agent that is given the tools, and the HTTP library that the SDK takes (the script
# lets the SDK make its client).
MORE = {"asyncio", "agents.Agent", "httpx2"}


def imported(code: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{name.name}" for name in node.names}
    return names


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_python_snippet_uses_what_its_script_uses(name):
    script = (CLIENTS / "python" / f"{SCRIPTS[name]}.py").read_text("utf-8")
    assert imported(INSTALLS[name]) - MORE <= imported(script)


def test_the_typescript_snippet_uses_what_its_script_uses():
    script = (CLIENTS / "node" / "client.mjs").read_text("utf-8")
    line = re.search(r"^import .*$", INSTALLS["typescript"], re.MULTILINE)
    assert line
    assert line[0] in script
    assert "requestInit: { headers" in script


@pytest.mark.parametrize("name", INSTALLS)
def test_each_takes_the_address_and_the_key_once(name):
    assert [INSTALLS[name].count(place) for place in ("{url}", "{key}")] == [1, 1]


def test_configurations_are_json():
    headers = {"X-API-Key": "{key}"}
    assert json.loads(INSTALLS["cursor"])["mcpServers"]["brskills"] == {"url": "{url}", "headers": headers}
    told = json.loads(shlex.split(INSTALLS["vscode"])[2])
    assert told == {"name": "brskills", "type": "http", "url": "{url}", "headers": headers}


def test_each_has_its_tab():
    named = set(re.findall(r'": "([\w-]+)"', FILES["agents.js"].body.partition("};")[0]))
    assert named == INSTALLS.keys()
