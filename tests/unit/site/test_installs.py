"""The snippets for agents' programs and libraries: of the names that the clients' own scripts use.

``make e2e-mcp`` runs those of libraries, and of the programs that npm has, as they are.
"""

import ast
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from brskills_server.registry.sandbox import SANDBOX_NUMBERS
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


@pytest.mark.parametrize("name", [*SCRIPTS, "typescript"])
def test_a_library_makes_a_call_that_needs_the_key_and_does_not_count(name):
    """Listing takes no key: a snippet that lists alone would show a wrong one nothing."""
    assert "look_up_company" in INSTALLS[name]
    (company,) = re.findall(r'cnpj"?: "(\w+)"', INSTALLS[name])
    assert company in SANDBOX_NUMBERS


def test_commands_hold_in_every_folder():
    for file, program in (("claude-code", "claude"), ("gemini", "gemini")):
        words = shlex.split(INSTALLS[file])
        assert words[:7] == [program, "mcp", "add", "--scope", "user", "--transport", "http"]
        assert words[7:] == ["brskills", "{url}", "--header", "X-API-Key: {key}"]


def test_configurations_are_json_and_toml():
    headers = {"X-API-Key": "{key}"}
    table = tomllib.loads(INSTALLS["codex"])["mcp_servers"]["brskills"]
    assert table == {"url": "{url}", "http_headers": headers}
    assert json.loads(INSTALLS["cursor"])["mcpServers"]["brskills"] == {"url": "{url}", "headers": headers}
    server = json.loads(shlex.split(INSTALLS["vscode"])[2])
    assert server == {"name": "brskills", "type": "http", "url": "{url}", "headers": headers}


def test_each_has_its_tab():
    named = set(re.findall(r'": "([\w-]+)"', FILES["agents.js"].body.partition("};")[0]))
    assert named == INSTALLS.keys()
