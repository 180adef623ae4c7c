"""Chat programs configured by the page's snippet, with a scripted model.

Each has a separate home, so that it finds no account and leaves nothing behind, and every way it has to
report or renew itself is switched off.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from lab.clients.environments import AGENTS
from lab.clients.scripted_model import ANSWER, scripted_model

SECONDS = 90
QUESTION = "A empresa SANDBOX1000170 está ativa?"
MODULES = AGENTS / "node_modules"
Conversation = Callable[[str, Mapping[str, str], Path], None]


def claude_code(command: str, env: Mapping[str, str], folder: Path) -> None:
    """Run the page's command, check the connection, and ask the question."""
    program = ["node", MODULES / "@anthropic-ai/claude-code/cli-wrapper.cjs"]
    variables = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    own = _at_home(env, folder / "claude-code", variables)
    _run([*program, *shlex.split(command)[1:]], own)
    assert "Connected" in _run([*program, "mcp", "list"], own)
    with scripted_model() as model:
        own |= {"ANTHROPIC_BASE_URL": model, "ANTHROPIC_API_KEY": "none"}
        allowed = ["--allowedTools", "mcp__brskills__look_up_company"]
        assert ANSWER in _run([*program, "-p", QUESTION, *allowed], own)


def gemini_cli(command: str, env: Mapping[str, str], folder: Path) -> None:
    """Do the same; a variable trusts the folder in place of a person."""
    program = ["node", MODULES / "@google/gemini-cli/bundle/gemini.js"]
    own = _at_home(
        env,
        folder / "gemini",
        {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_API_KEY": "none", "NO_COLOR": "1"},
    )
    settings = Path(own["HOME"]) / ".gemini" / "settings.json"
    settings.parent.mkdir()
    quiet = {"general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}}
    chosen = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    settings.write_text(json.dumps({**quiet, **chosen}))
    _run([*program, *shlex.split(command)[1:]], own)
    assert "- Connected" in _run([*program, "mcp", "list"], own)
    with scripted_model() as model:
        own["GOOGLE_GEMINI_BASE_URL"] = model
        # A model that is named is not chosen by asking another one.
        named = ["--model", "gemini-2.5-flash", "--approval-mode", "yolo"]
        assert ANSWER in _run([*program, *named, "--prompt", QUESTION], own)


def codex(table: str, env: Mapping[str, str], folder: Path) -> None:
    """Write the page's lines to its file; its list shows no connection, so only the question does."""
    program = ["node", MODULES / "@openai/codex/bin/codex.js"]
    own = _at_home(env, folder / "codex", {"NONE": "none"})
    settings = Path(own["HOME"]) / ".codex" / "config.toml"
    settings.parent.mkdir()
    with scripted_model() as model:
        settings.write_text(
            'check_for_update_on_startup = false\nmodel = "scripted"\nmodel_provider = "script"\n'
            f"[analytics]\nenabled = false\n{table}\n[model_providers.script]\n"
            f'name = "script"\nbase_url = "{model}/v1"\nwire_api = "responses"\nenv_key = "NONE"\n'
        )
        assert "brskills" in _run([*program, "mcp", "list"], own)
        assert ANSWER in _run([*program, "exec", "--skip-git-repo-check", QUESTION], own)


# The package, the page's snippet, and what is done with it.
CONVERSATIONS: tuple[tuple[str, str, Conversation], ...] = (
    ("@anthropic-ai/claude-code", "claude-code", claude_code),
    ("@google/gemini-cli", "gemini", gemini_cli),
    ("@openai/codex", "codex", codex),
)


def _at_home(env: Mapping[str, str], home: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """Return the only variables of a program: the user may have accounts."""
    home.mkdir()
    return {"PATH": env["PATH"], "HOME": str(home), "TERM": os.environ.get("TERM", "dumb"), **variables}


def _run(command: list[str | Path], env: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        env=env,
        cwd=env["HOME"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
