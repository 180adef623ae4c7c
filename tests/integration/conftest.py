"""What is started once: a gateway for tests that need no settings of their own, and a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import gateway
from tests.services.postgres import Server, postgres
from tests.simulator import Simulator

PROVIDERS = "opencnpj,brasilapi,cnpja"


@dataclass(frozen=True)
class Running:
    """A gateway in several processes over a new store, with simulated providers.

    ``base`` is an address, ``store`` one as ``STORE`` holds it; ``output`` is the file that everything
    printed goes to.
    """

    base: str
    store: str
    output: Path
    providers: Simulator


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    output = tmp_path_factory.mktemp("gateway") / "output.txt"
    address = f"sqlite:///{output.parent}/brskills.db"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {
            "STORE": address,
            "SIGNUPS_PER_DAY": "1000",
            "REGISTRY_PROVIDERS": PROVIDERS,
            "POWERTOOLS_LOG_LEVEL": "DEBUG",
        }
        with gateway(output, **settings, **urls) as base:
            yield Running(base, address, output, providers)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Take a database or a schema of your own."""
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def base(running: Running) -> str:
    return running.base


@pytest.fixture(scope="session")
def http(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, timeout=60) as client:
        yield client
