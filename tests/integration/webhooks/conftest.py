"""Receivers on loopback, and certificates of a root of the tests."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.receiver import Receiver, receiver
from tests.services.site import certificate_of

HOST = "hooks.example"


@pytest.fixture
def receiving() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture(scope="session")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key and the certificate of ``HOST``."""
    return certificate_of(tmp_path_factory.mktemp("tls"), [HOST])


@pytest.fixture(scope="session")
def trusted(chain: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(chain))


@pytest.fixture
def secure(chain: Path) -> Iterator[Receiver]:
    """A receiver over TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    with receiver(context) as found:
        yield found
