"""A receiver over TLS, at which every name is. Nothing is closed here because garbage is collected."""

from __future__ import annotations

import gc
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.receiver import Receiver, receiver
from tests.services.site import certificate_of
from tests.simulator import Simulator

HOST, OTHER = "hooks.example", "other.example"
SHARP = "xn--strae-oqa.example"  # straße.example, by the older rules of such names strasse.example


@pytest.fixture(autouse=True)
def _no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate_of(tmp_path_factory.mktemp("tls"), [HOST, OTHER, SHARP])


@pytest.fixture(scope="session")
def trusted(chain: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(chain))


@pytest.fixture(scope="session")
def names() -> list[str]:
    """The names in handshakes."""
    return []


@pytest.fixture
def secure(chain: Path, names: list[str]) -> Iterator[Receiver]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    names.clear()
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    with receiver(context) as found:
        yield found


@pytest.fixture
def plain() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    with Simulator() as providers:
        yield providers
