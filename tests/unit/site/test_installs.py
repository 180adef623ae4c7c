"""The snippets for agents' programs and libraries, most of which ``make e2e-mcp`` runs as they are."""

import json
import re
import shlex
import tomllib

from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from functions.site.app import FILES, INSTALLS
from tests.for_each import for_each

LIBRARIES = ("mcp", "langchain", "openai-agents", "pydantic-ai", "strands", "typescript")


@for_each("name", INSTALLS)
def test_each_takes_the_address_and_the_key_once(name):
    assert [INSTALLS[name].count(place) for place in ("{url}", "{key}")] == [1, 1]


@for_each("name", LIBRARIES)
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
