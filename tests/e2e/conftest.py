"""The end-to-end suite: the public contract over HTTP, wherever the service runs.

``BASE_URL`` (and ``API_KEY``) point it at any deployment; without them ``--target`` starts one here:
``gateway`` as ``make run`` does, ``postgres`` the same over PostgreSQL, ``ministack`` with the real template,
``package`` as a customer installs it, ``image`` as a container. The providers are simulated in all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import gateway
from tests.services.image import image
from tests.services.ministack import ministack
from tests.services.package import package
from tests.services.packages import EXAMPLE, install, python_path
from tests.services.postgres import postgres
from tests.simulator import Simulator

SETTINGS = {
    "SIGNUPS_PER_DAY": "1000",
    "REGISTRY_PROVIDERS": "opencnpj,brasilapi,cnpja",
    "SKILL_PLANS": "look_up_bank=free",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    targets = ["gateway", "postgres", "ministack", "package", "image"]
    parser.addoption("--target", choices=targets, default="gateway")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of custom skills and simulated providers at another deployment."""
    if os.environ.get("BASE_URL"):
        needed = {"simulated", "with_example"}
        ours = [item for item in items if needed & {*getattr(item, "fixturenames", ())}]
        items[:] = [item for item in items if item not in ours]
        config.hook.pytest_deselected(items=ours)


@dataclass(frozen=True)
class Service:
    """A running service; ``providers`` is the simulator behind it, if it is ours."""

    base_url: str
    providers: Simulator | None


@pytest.fixture(scope="session")
def service(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    if base_url := os.environ.get("BASE_URL"):
        yield Service(base_url.rstrip("/"), None)
        return
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        target = pytestconfig.getoption("--target")
        folder, packages = (tmp_path_factory.mktemp(name) for name in (target, "packages"))
        install(EXAMPLE, packages)
        with _started(target, folder, packages, {**SETTINGS, **urls}) as base:
            yield Service(base, providers)


def _started(
    target: str, folder: Path, packages: Path, settings: dict[str, str]
) -> AbstractContextManager[str]:
    """A service with these settings; ``packages`` holds the custom skills that it is to find."""
    match target:
        case "postgres":
            return _over_postgres({**settings, **python_path(packages)})
        case "ministack":
            parameters = {_parameter(name): value for name, value in settings.items()}
            return ministack(folder, parameters, packages)
        case "package":
            return package(folder, **settings, PYTHONPATH=str(packages))
        case "image":
            return image(packages, **settings)
    return gateway(**settings, **python_path(packages))


@contextmanager
def _over_postgres(settings: dict[str, str]) -> Iterator[str]:
    with postgres() as server, gateway(STORE=server.url, **settings) as base:
        yield base


def _parameter(variable: str) -> str:
    """The template's parameter for an environment variable: OPENCNPJ_URL → OpencnpjUrl."""
    return "".join(part.capitalize() for part in variable.split("_"))


@pytest.fixture
def simulated(service: Service) -> Service:
    """The service, with simulated providers."""
    assert service.providers is not None
    return service


@contextmanager
def failing(service: Service, *names: str) -> Iterator[None]:
    """Have some providers answer 500 for a while."""
    assert service.providers is not None
    for name in names:
        service.providers.play(name, "500")
    try:
        yield
    finally:
        for name in names:
            service.providers.play(name, "truth")


@pytest.fixture(scope="session")
def http(service: Service) -> Iterator[httpx.Client]:
    """Without a key."""
    with httpx.Client(base_url=service.base_url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def api_key(http: httpx.Client) -> str:
    """A key with room for the whole suite: ``API_KEY``, or a new free one."""
    return os.environ.get("API_KEY") or new_key(http)


@pytest.fixture(scope="session")
def api(service: Service, api_key: str) -> Iterator[httpx.Client]:
    """With the suite's key."""
    with httpx.Client(base_url=service.base_url, timeout=60, headers={"X-API-Key": api_key}) as client:
        yield client


@pytest.fixture
def fresh(service: Service, http: httpx.Client) -> Iterator[httpx.Client]:
    """With a new free key."""
    with httpx.Client(base_url=service.base_url, timeout=60, headers={"X-API-Key": new_key(http)}) as client:
        yield client


def new_key(http: httpx.Client) -> str:
    answer = http.post("/api/v1/keys")
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["api_key"]
    return key


def calls(client: httpx.Client) -> int:
    """Return the counted calls of the client's key."""
    answer = client.get("/api/v1/usage")
    assert answer.status_code == 200, answer.text
    count: int = answer.json()["chamadas"]
    return count
