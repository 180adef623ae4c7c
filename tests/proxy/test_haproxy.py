"""The shipped configuration of HAProxy before a gateway: what it forwards, refuses and answers itself."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import ROOT, eventually, free_port, gateway
from tests.services.site import certificate_of

PLANS = b"GET /api/v1/plans HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/v1/keys HTTP/1.1\r\nHost: localhost\r\n"
NEXT = b"GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
UPGRADE = b"Connection: Upgrade\r\nUpgrade: h2c\r\n"
SIGNUPS = 20


@dataclass(frozen=True)
class Proxy:
    """HAProxy at a port of this machine."""

    port: int
    trusted: ssl.SSLContext

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"https://localhost:{self.port}", verify=self.trusted, timeout=60)

    def statuses(self, sent: bytes) -> list[int]:
        """Return those of the answers to some bytes and to another request after them."""
        with (
            socket.create_connection(("localhost", self.port), 60) as bare,
            self.trusted.wrap_socket(bare, server_hostname="localhost") as connection,
        ):
            connection.sendall(sent + NEXT)
            received = b""
            while block := connection.recv(65_536):
                received += block
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", received)]


@contextmanager
def haproxy(folder: Path, server: str) -> Iterator[Proxy]:
    """Run HAProxy as `docs/operate/on-premise.md` says."""
    certificate, port = certificate_of(folder, ["localhost"]), free_port()
    settings = {
        "LISTEN": f"127.0.0.1:{port}",
        "CERTIFICATE": str(certificate),
        "SERVER": server,
        "COPIES": "1",
    }
    command = ["haproxy", "-db", "-f", str(ROOT / "on-premise/haproxy.cfg")]
    with subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL) as process:
        try:
            yield Proxy(port, ssl.create_default_context(cafile=certificate))
        finally:
            process.kill()


def status_of(http: httpx.Client) -> int:
    with suppress(httpx.TransportError):
        return http.get("/livez").status_code
    return 0


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    settings = {"TRUSTED_PROXIES": "127.0.0.1/32", "SIGNUPS_PER_DAY": str(SIGNUPS)}
    with (
        gateway(**settings) as base,
        haproxy(tmp_path_factory.mktemp("proxy"), base.removeprefix("http://")) as found,
        found.client() as http,
    ):
        eventually(lambda: status_of(http) == 200)
        yield found


def test_both_see_the_same_requests(proxy: Proxy) -> None:
    for sent, expected in {
        POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": [201],
        POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello": [400],
        POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello": [400, 404],
        POST + b"Content-Length: +5\r\n\r\nhello": [400],
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": [400],
        POST + b"Transfer-Encoding: gzip\r\n\r\n": [400],
        POST + b"Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n": [400],
        POST + b"X: a\r\n Content-Length: 5\r\n\r\n": [201, 404],
        POST.replace(b"localhost", b"a b") + b"\r\n": [400, 404],
        POST + UPGRADE + b"Content-Length: %d\r\n\r\n" % len(NEXT) + NEXT: [400, 404],
        PLANS.replace(b"\r", b"") + b"\n": [200, 404],
        PLANS + b"\r\n" + PLANS + b"\r\n": [200, 200, 404],
    }.items():
        assert proxy.statuses(sent) == expected, sent


def test_what_a_caller_says_of_its_way_is_discarded(proxy: Proxy) -> None:
    with proxy.client() as http:
        said = {"X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.1"}
        metadata = http.get("/.well-known/oauth-protected-resource/mcp/oauth", headers=said).json()
        assert metadata["resource"] == f"https://localhost:{proxy.port}/mcp/oauth"
        signups = [
            http.post("/api/v1/keys", headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code
            for number in range(SIGNUPS)
        ]
    assert signups[-1] == 429  # all are one address


def test_an_address_without_a_key_is_throttled(proxy: Proxy) -> None:
    assert 429 in proxy.statuses(NEXT.replace(b"Connection: close\r\n", b"") * 400)


def test_without_a_server_the_proxy_answers_as_one(tmp_path: Path) -> None:
    with haproxy(tmp_path, f"127.0.0.1:{free_port()}") as alone, alone.client() as http:
        eventually(lambda: status_of(http) == 503)
        answer = http.get("/api/v1/plans")
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.json()["status"], answer.json()["code"]) == (503, "store_unavailable")
    assert answer.headers["retry-after"] == "2"
