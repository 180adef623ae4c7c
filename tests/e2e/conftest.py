"""The end-to-end suite: the public contract over HTTP, wherever the service runs.

``BASE_URL`` (and ``API_KEY``) point it at any deployment; without them ``--target`` starts one here:
``thread`` the gateway in this process, for ``make test``, ``gateway`` as ``make run`` does, ``postgres`` the
same over PostgreSQL, ``ministack`` with the real template, ``package`` as a customer installs it, ``image``
as a container. The providers are simulated in all of them.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.expanded import template
from tests.services.gateway import gateway
from tests.services.gateway_thread import gateway_thread
from tests.services.image import image
from tests.services.ministack import ministack
from tests.services.package import package
from tests.services.packages import EXAMPLE, install, python_path
from tests.services.postgres import postgres
from tests.simulator import Simulator

PIX, CNPJ = "/api/v1/skills/pix", "/api/v1/skills/cnpj"
CHARGE = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}
DEMO = {"X-API-Key": os.environ.get("DEMO_API_KEY", "brsk_demo00000000000000000000000000001gbZMd")}
SETTINGS = {
    "SIGNUPS_PER_DAY": "1000",
    "REGISTRY_PROVIDERS": "opencnpj,brasilapi,cnpja",
    "SKILL_PLANS": "look_up_bank=free",
    "WEBHOOK_ALLOW_LOOPBACK": "1",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    targets = ["thread", "gateway", "postgres", "ministack", "package", "image"]
    parser.addoption("--target", choices=targets, default="thread")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of custom skills and simulated providers at another deployment."""
    if os.environ.get("BASE_URL"):
        needed = {"simulated", "with_example"}
        ours = [item for item in items if needed & {*getattr(item, "fixturenames", ())}]
        items[:] = [item for item in items if item not in ours]
        config.hook.pytest_deselected(items=ours)


@dataclass(frozen=True)
class Service:
    """A running service; ``providers`` is its simulator, if it was started here."""

    base_url: str
    providers: Simulator | None


@pytest.fixture(scope="session")
def service(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    if base_url := os.environ.get("BASE_URL"):
        yield Service(base_url.rstrip("/"), None)
        return
    with Simulator() as providers:
        target = pytestconfig.getoption("--target")
        folder, packages = (tmp_path_factory.mktemp(name) for name in (target, "packages"))
        install(EXAMPLE, packages)
        with _started(target, folder, packages, {**SETTINGS, **providers.settings}) as base:
            yield Service(base, providers)


def _started(
    target: str, folder: Path, packages: Path, settings: dict[str, str]
) -> AbstractContextManager[str]:
    """Start a service with these settings; ``packages`` holds its custom skills."""
    match target:
        case "thread":
            return _in_thread(packages, settings)
        case "postgres":
            return _over_postgres({**settings, **python_path(packages)})
        case "ministack":
            given = {_parameter(key): value for key, value in settings.items() if _is_parameter(key)}
            others = {key: value for key, value in settings.items() if not _is_parameter(key)}
            return ministack(folder, given, packages, others)
        case "package":
            return package(folder, **settings, PYTHONPATH=str(packages))
        case "image":
            return image(packages, **settings)
    return gateway(**settings, **python_path(packages))


@contextmanager
def _in_thread(packages: Path, settings: dict[str, str]) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(packages)
        with gateway_thread(**settings) as base:
            yield base


@contextmanager
def _over_postgres(settings: dict[str, str]) -> Iterator[str]:
    with postgres() as server, gateway(STORE=server.url, **settings) as base:
        yield base


def _parameter(variable: str) -> str:
    """The template's parameter for an environment variable: SUPPORT_URL → SupportUrl."""
    return "".join(part.capitalize() for part in variable.split("_"))


def _is_parameter(variable: str) -> bool:
    return _parameter(variable) in template()["Parameters"]


@pytest.fixture
def simulated(service: Service) -> Service:
    """The service, with simulated providers."""
    assert service.providers is not None
    return service


def failing(service: Service, *names: str) -> AbstractContextManager[None]:
    """Let some providers, or all, answer 500 in the block."""
    assert service.providers is not None
    return service.providers.playing("500", *names)


@contextmanager
def client(service: Service, key: str = "") -> Iterator[httpx.Client]:
    headers = {"X-API-Key": key} if key else {}
    with httpx.Client(base_url=service.base_url, timeout=60, headers=headers) as http:
        yield http


@pytest.fixture(scope="session")
def http(service: Service) -> Iterator[httpx.Client]:
    """A client without a key."""
    with client(service) as opened:
        yield opened


@pytest.fixture(scope="session")
def api_key(http: httpx.Client) -> str:
    """A key with enough calls for the whole suite: ``API_KEY``, or a new free one."""
    return os.environ.get("API_KEY") or new_key(http)


@pytest.fixture(scope="session")
def api(service: Service, api_key: str) -> Iterator[httpx.Client]:
    """A client with the suite's key."""
    with client(service, api_key) as opened:
        yield opened


@pytest.fixture
def fresh(service: Service, http: httpx.Client) -> Iterator[httpx.Client]:
    """A client with a new free key."""
    with client(service, new_key(http)) as opened:
        yield opened


def new_key(http: httpx.Client) -> str:
    answer = http.post("/api/v1/keys")
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["api_key"]
    return key


def calls(client: httpx.Client) -> int:
    """Return the counted calls of the client's key."""
    count: int = client.get("/api/v1/usage").raise_for_status().json()["chamadas"]
    return count


@contextmanager
def counting(client: httpx.Client, expected: int) -> Iterator[None]:
    """Expect the block to count so many calls."""
    before = calls(client)
    yield
    assert calls(client) - before == expected


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the problem of an answer, which has this status and code."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].split(";")[0] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert {"type", "title", "status", "detail", "code", "request_id"} <= body.keys()
    assert (body["status"], body["code"]) == (status, code)
    assert answer.headers["x-request-id"] == body["request_id"] != ""
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "x-request-id" in answer.headers["access-control-expose-headers"].lower()
    assert "Traceback" not in answer.text
    return body


def rpc(client: httpx.Client, method: str, parameters: dict[str, Any], **headers: str) -> dict[str, Any]:
    """Return the result of an MCP method."""
    accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    answer = client.post("/mcp", json=body, headers={**accept, **headers})
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()["result"]
    return result


def use_tool(client: httpx.Client, name: str, arguments: dict[str, Any], **headers: str) -> dict[str, Any]:
    """Return the result of an MCP tool."""
    return rpc(client, "tools/call", {"name": name, "arguments": arguments}, **headers)
