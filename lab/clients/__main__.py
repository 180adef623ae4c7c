"""``python -m lab.clients``: every client against a running gateway, as a table; ends with 1 if one fails.

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
from functools import partial
from pathlib import Path

import httpx

from functions.site.app import INSTALLS
from lab.clients.conformance import EXTENSIONS, SCENARIOS, run_extension, run_scenario
from lab.clients.conversations import CONVERSATIONS
from lab.clients.environments import (
    HERE,
    NODE_PACKAGES,
    agents_environment,
    node_environment,
    python_environment,
)
from lab.clients.inspector import inspect
from lab.clients.programs import sign_in_by_inspector, sign_in_by_mcp_remote
from requirements.lock import pins
from tests.services.gateway import gateway

SECONDS = 180
OWN_CHOICE = "chosen by it"


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
    PythonClient("fastmcp_4", "fastmcp", "fastmcp", OWN_CHOICE),
    PythonClient("langchain_tools", "langchain", "langchain-mcp-adapters", OWN_CHOICE),
    PythonClient("pydantic_agent", "pydantic-ai", "pydantic-ai-slim", OWN_CHOICE),
    PythonClient("openai_agents", "openai-agents", "openai-agents", OWN_CHOICE),
    PythonClient("strands_tools", "strands", "strands-agents", OWN_CHOICE),
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
    """Run all clients, also after a failure."""
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
    """Yield the name, version and revision of each client, and its run."""
    for client in PYTHON_CLIENTS:
        script = HERE / "python" / f"{client.script}.py"
        command = [pythons[client.environment], script, url, key, *client.arguments.split()]
        version = _listed(client.environment, client.shown)
        yield f"{client.shown} (Python)", version, client.revision, partial(_script, command)
    for mode, revision in (("legacy", "2025-11-25"), ("auto", "2026-07-28")):
        name, version = "@modelcontextprotocol/client (npm)", _npm_version("@modelcontextprotocol/client")
        for script, added in (("client.mjs", ""), ("sign-in.mjs", ", sign-in")):
            command = ["node", NODE_PACKAGES / script, url, key, mode]
            yield name, version, revision + added, partial(_script, command, env)
    yield from _snippets(url, key, pythons, env)
    for package, name, talk in CONVERSATIONS:
        run = partial(talk, _filled_in(name, url, key), env, folder)
        yield f"{package}, the page's {name}", _npm_version(package, "agents"), OWN_CHOICE, run
    examples = HERE.parent.parent / "examples"
    variables = {**os.environ, "BRSKILLS_URL": url.removesuffix("/mcp"), "BRSKILLS_API_KEY": key}
    run = partial(_script, [pythons["langchain"], examples / "langchain_tools.py"], variables)
    yield "examples/langchain_tools.py", _listed("langchain", "langchain-mcp-adapters"), OWN_CHOICE, run
    run = partial(_script, [pythons["mcp-2"], examples / "mcp_cards.py"], variables, "company.html")
    yield "examples/mcp_cards.py", _listed("mcp-2", "mcp"), OWN_CHOICE, run
    run = partial(_script, ["node", examples / "pix.mjs"], {**env, **variables, "PATH": env["PATH"]})
    yield "examples/pix.mjs", "no package", "REST", run
    name, package = "Inspector, command line", "@modelcontextprotocol/inspector"
    yield name, _npm_version(package), OWN_CHOICE, partial(inspect, url, key, env)
    signed_in = "its own choice, sign-in"
    yield name, _npm_version(package), signed_in, partial(sign_in_by_inspector, url, key, env, folder)
    run = partial(sign_in_by_mcp_remote, url, key, env, folder)
    yield "mcp-remote", _npm_version("mcp-remote"), signed_in, run
    version = _npm_version("@modelcontextprotocol/conformance")
    for scenario, revision in SCENARIOS:
        run = partial(run_scenario, scenario, revision, url, folder, env)
        yield f"conformance: {scenario}", version, revision, run
    for scenario in EXTENSIONS:
        run = partial(run_extension, scenario, "2026-07-28", url, folder, env)
        yield f"conformance: {scenario}", version, "2026-07-28, stated", run


def _snippets(url: str, key: str, pythons: dict[str, Path], env: dict[str, str]) -> Iterator[Run]:
    """Yield the page's snippets; each prints the record of a test company."""
    for name, (environment, package) in SNIPPETS.items():
        run = partial(_script, [pythons[environment], "-c", _filled_in(name, url, key)], says=COMPANY)
        yield f"the page's {name}", _listed(environment, package), OWN_CHOICE, run
    script = NODE_PACKAGES / "snippet.mjs"
    script.write_text(_filled_in("typescript", url, key))
    run = partial(_script, ["node", script], env, COMPANY)
    yield "the page's typescript", _npm_version("@modelcontextprotocol/client"), OWN_CHOICE, run


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
