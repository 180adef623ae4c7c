"""``python -m tests.clients``: every client against a running gateway, as a table; ends with 1 if one fails.

``BASE_URL`` and ``API_KEY`` point it at a deployment; without them a gateway is started here.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from functions.site.app import INSTALLS
from requirements.lock import pins
from tests.clients.conformance import SCENARIOS, run_scenario
from tests.clients.conversations import CONVERSATIONS
from tests.clients.environments import (
    HERE,
    NODE_PACKAGES,
    agents_environment,
    node_environment,
    python_environment,
)
from tests.clients.inspector import inspect
from tests.clients.programs import sign_in_by_inspector, sign_in_by_mcp_remote
from tests.services.gateway import gateway

SECONDS = 180


@dataclass(frozen=True)
class PythonClient:
    """A script of ``python/`` and the environment it runs in; ``shown`` is the package that is named."""

    script: str
    environment: str
    shown: str
    revision: str
    arguments: str = ""


PYTHON_CLIENTS = (
    PythonClient("mcp_2", "mcp-2", "mcp", "2026-07-28", "auto"),
    PythonClient("mcp_2", "mcp-2", "mcp", "2025-11-25", "legacy"),
    PythonClient("mcp_1", "mcp-1", "mcp", "2025-11-25"),
    PythonClient("fastmcp_4", "fastmcp", "fastmcp", "chosen by it"),
    PythonClient("langchain_tools", "langchain", "langchain-mcp-adapters", "chosen by it"),
    PythonClient("pydantic_agent", "pydantic-ai", "pydantic-ai-slim", "chosen by it"),
    PythonClient("openai_agents", "openai-agents", "openai-agents", "chosen by it"),
    PythonClient("strands_tools", "strands", "strands-agents", "chosen by it"),
    PythonClient("mcp_2", "mcp-2", "mcp", "2026-07-28, sign-in", "auto sign-in"),
    PythonClient("mcp_2", "mcp-2", "mcp", "2025-11-25, sign-in", "legacy sign-in"),
    PythonClient("mcp_1", "mcp-1", "mcp", "2025-11-25, sign-in", "sign-in"),
    PythonClient("fastmcp_4", "fastmcp", "fastmcp", "its own choice, sign-in", "sign-in"),
)

COMPANY = "EMPRESA DE EXEMPLO LTDA"
# The page's snippets of libraries, by their files' names: the environment and the package that is named.
SNIPPETS = {
    "mcp": ("mcp-2", "mcp"),
    "langchain": ("langchain", "langchain-mcp-adapters"),
    "openai-agents": ("openai-agents", "openai-agents"),
    "pydantic-ai": ("pydantic-ai", "pydantic-ai-slim"),
    "strands": ("strands", "strands-agents"),
}


def main() -> None:
    """Run them all, whatever fails."""
    env = node_environment()
    agents_environment()
    pythons = {client.environment: python_environment(client.environment) for client in PYTHON_CLIENTS}
    failed = False
    print("| Client | Version | Revision | |\n|---|---|---|---|")
    with _service() as (base, key), tempfile.TemporaryDirectory() as folder:
        url = f"{base}/mcp"
        for name, version, revision, run in _runs(url, key, pythons, env, Path(folder)):
            try:
                outcome = run() or "ok"
            except (AssertionError, subprocess.SubprocessError) as error:
                failed, outcome = True, "FAILED"
                print(error, file=sys.stderr)
            print(f"| {name} | {version} | {revision} | {outcome} |", flush=True)
    sys.exit(failed)


Run = tuple[str, str, str, Callable[[], str | None]]


def _runs(url: str, key: str, pythons: dict[str, Path], env: dict[str, str], folder: Path) -> Iterator[Run]:
    for client in PYTHON_CLIENTS:
        script = HERE / "python" / f"{client.script}.py"
        command = [pythons[client.environment], script, url, key, *client.arguments.split()]
        version = _listed(client.environment, client.shown)
        yield f"{client.shown} (Python)", version, client.revision, lambda command=command: _script(command)
    for mode, revision in (("legacy", "2025-11-25"), ("auto", "2026-07-28")):
        name, version = "@modelcontextprotocol/client (npm)", _npm_version("@modelcontextprotocol/client")
        for script, added in (("client.mjs", ""), ("sign-in.mjs", ", sign-in")):
            command = ["node", NODE_PACKAGES / script, url, key, mode]
            yield name, version, revision + added, lambda command=command: _script(command, env)
    yield from _snippets(url, key, pythons, env)
    for package, name, talk in CONVERSATIONS:
        configuration = _filled_in(name, url, key)
        yield (
            f"{package}, the page's {name}",
            _npm_version(package, "agents"),
            "chosen by it",
            lambda talk=talk, configuration=configuration: talk(configuration, env, folder),
        )
    sample = [pythons["langchain"], HERE.parent.parent / "examples" / "langchain_tools.py"]
    variables = {**os.environ, "BRSKILLS_URL": url.removesuffix("/mcp"), "BRSKILLS_API_KEY": key}
    version = _listed("langchain", "langchain-mcp-adapters")
    yield "examples/langchain_tools.py", version, "chosen by it", lambda: _script(sample, variables)
    plain = ["node", HERE.parent.parent / "examples" / "pix.mjs"]
    yield (
        "examples/pix.mjs",
        "no package",
        "REST",
        lambda: _script(plain, {**env, **variables, "PATH": env["PATH"]}),
    )
    yield (
        "Inspector, command line",
        _npm_version("@modelcontextprotocol/inspector"),
        "chosen by it",
        lambda: inspect(url, key, env),
    )
    for name, package, sign_in in (
        ("Inspector, command line", "@modelcontextprotocol/inspector", sign_in_by_inspector),
        ("mcp-remote", "mcp-remote", sign_in_by_mcp_remote),
    ):
        yield (
            name,
            _npm_version(package),
            "its own choice, sign-in",
            lambda sign_in=sign_in: sign_in(url, key, env, folder),
        )
    for scenario, revision in SCENARIOS:
        yield (
            f"conformance: {scenario}",
            _npm_version("@modelcontextprotocol/conformance"),
            revision,
            lambda scenario=scenario, revision=revision: run_scenario(scenario, revision, url, folder, env),
        )


def _snippets(url: str, key: str, pythons: dict[str, Path], env: dict[str, str]) -> Iterator[Run]:
    """The page's snippets as a reader copies them; each prints the record of a test company."""
    for name, (environment, package) in SNIPPETS.items():
        command = [pythons[environment], "-c", _filled_in(name, url, key)]
        version = _listed(environment, package)
        yield (
            f"the page's {name}",
            version,
            "chosen by it",
            lambda command=command: _script(command, says=COMPANY),
        )
    package = "@modelcontextprotocol/client"
    script = NODE_PACKAGES / "snippet.mjs"
    script.write_text(_filled_in("typescript", url, key))
    command = ["node", script]
    yield (
        "the page's typescript",
        _npm_version(package),
        "chosen by it",
        lambda: _script(command, env, COMPANY),
    )


def _filled_in(name: str, url: str, key: str) -> str:
    return INSTALLS[name].replace("{url}", url).replace("{key}", key)


def _script(command: list[str | Path], env: Mapping[str, str] = os.environ, says: str = "") -> None:
    # A client must not find our packages: OpenAI's is called as one of them is.
    own = {name: value for name, value in env.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert says in done.stdout


@contextlib.contextmanager
def _service() -> Iterator[tuple[str, str]]:
    if base := os.environ.get("BASE_URL"):
        yield base.rstrip("/"), os.environ["API_KEY"]
        return
    with gateway() as base:
        yield base, httpx.post(f"{base}/api/v1/keys").json()["api_key"]


def _listed(environment: str, package: str) -> str:
    return pins(HERE / "requirements" / f"{environment}.in")[package]


def _npm_version(package: str, folder: str = "node") -> str:
    lines = (HERE / folder / "package.json").read_text().splitlines()
    line = next(line for line in lines if f'"{package}"' in line)
    return line.split('"')[3]


main()
