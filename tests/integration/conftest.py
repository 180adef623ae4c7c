"""What several suites use: a gateway and a PostgreSQL server, started once; receivers and providers."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import gateway
from tests.services.postgres import Server, postgres
from tests.services.receiver import Receiver, receiver
from tests.services.site import certificate_of
from tests.simulator import Simulator

PROVIDERS = "opencnpj,brasilapi,cnpja"
HOST = "hooks.example"
SHARP = "xn--strae-oqa.example"  # straße.example, by the older rules of such names strasse.example


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


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    with Simulator() as providers:
        yield providers


@pytest.fixture
def receiving() -> Iterator[Receiver]:
    """A receiver on loopback."""
    with receiver() as found:
        yield found


@pytest.fixture(scope="session")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key and the certificate of ``HOST`` and ``SHARP``."""
    return certificate_of(tmp_path_factory.mktemp("tls"), [HOST, SHARP])


@pytest.fixture(scope="session")
def trusted(chain: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(chain))


@pytest.fixture
def secure(chain: Path) -> Iterator[Receiver]:
    """A receiver over TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    names: list[str] = []
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    with receiver(context) as found:
        found.names = names
        yield found
