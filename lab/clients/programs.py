"""Programs that open a browser for their sign-in; here it is a script that agrees (``python/person.py``)."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from lab.clients.environments import HERE, NODE_PACKAGES

SECONDS = 90
_CLIENT = {"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
MESSAGES = (
    ("initialize", {"protocolVersion": "2025-06-18", **_CLIENT}),
    ("tools/list", {}),
    ("tools/call", {"name": "get_usage", "arguments": {}}),
)


def sign_in_by_inspector(url: str, key: str, env: dict[str, str], folder: Path) -> None:
    """Sign in while connecting, then call a tool. Raise `AssertionError` on failure."""
    variables = _with_person(key, env, folder / "inspector") | {"MCP_AUTO_OPEN_ENABLED": "true"}
    command = [NODE_PACKAGES / "node_modules/.bin/mcp-inspector", "--cli", f"{url}/oauth", "--quiet"]
    call = ["--transport", "http", "--method", "tools/call", "--tool-name", "get_usage"]
    done = subprocess.run(
        [*command, *call],
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout[done.stdout.index("{") :])["structuredContent"]["plano"] == "free"


def sign_in_by_mcp_remote(url: str, key: str, env: dict[str, str], folder: Path) -> None:
    """Call a tool over standard input. Raise `AssertionError` on failure."""
    variables = _with_person(key, env, folder / "mcp-remote")
    command = [
        "node",
        NODE_PACKAGES / "node_modules/mcp-remote/dist/proxy.js",
        f"{url}/oauth",
        "--allow-http",
    ]
    with subprocess.Popen(
        command,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as proxy:
        try:
            answers = [_ask(proxy, number, *message) for number, message in enumerate(MESSAGES)]
        finally:
            proxy.kill()
    assert len(answers[1]["tools"]) == 10
    assert answers[2]["structuredContent"]["plano"] == "free"


def _ask(proxy: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert proxy.stdin
    assert proxy.stdout
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    proxy.stdin.write(json.dumps(message) + "\n")
    proxy.stdin.flush()
    answer = next(found for line in proxy.stdout if (found := json.loads(line)).get("id") == number)
    assert "result" in answer, answer
    result: dict[str, Any] = answer["result"]
    return result


def _with_person(key: str, env: dict[str, str], home: Path) -> dict[str, str]:
    """Return the environment of a program whose browser is ``python/person.py``."""
    home.mkdir()
    browser = home / "browser"
    person = shlex.join([sys.executable, str(HERE / "python" / "person.py")])
    # Opening a browser waits until it has opened, not for what is done in it.
    browser.write_text(f'#!/bin/sh\n{person} "$1" >"{home}/browser.log" 2>&1 &\n')
    browser.chmod(0o755)
    return {**env, "HOME": str(home), "BROWSER": str(browser), "PERSON_KEY": key}
