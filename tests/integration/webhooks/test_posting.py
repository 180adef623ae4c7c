"""Whatever an address resolves to and whatever a receiver does, a post ends in time and reads only a head."""

from __future__ import annotations

import asyncio
import resource
import ssl
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from brskills_server.outbound.public_network import Network
from brskills_server.outbound.wire import MAX_HEAD_BYTES
from brskills_server.webhooks import poster
from brskills_server.webhooks.poster import Answer, Poster
from tests.services.receiver import Receiver, answer, close, hold, send

from .conftest import HOST

BODY = '{"é": 1}'.encode()
SENT = {"Content-Type": "application/json", "webhook-id": "msg_1"}
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poster, "SECONDS", 0.5)


def post(address: str, network: Network | None = None, *, loopback: bool = True) -> Answer:
    network = replace(network or Network(resolve=at()), allow_loopback=loopback)
    posting = Poster("brskills/test", network)
    return asyncio.run(posting.post(address, SENT, BODY))


def at(*addresses: str, asked: list[str] | None = None) -> Any:
    """Resolve every name to these addresses."""

    async def resolve(host: str, port: int) -> list[str]:
        if asked is not None:
            asked.append(host)
        return list(addresses)

    return resolve


def public(receiving: Receiver, trusted: ssl.SSLContext, places: Sequence[str] = ("127.0.0.1",)) -> Network:
    """Take addresses of loopback for public ones, at the receiver's port."""
    return Network(resolve=at(*places), is_allowed=lambda _: True, port=receiving.port, certificates=trusted)


def test_a_request_is_as_it_was_asked_for(secure: Receiver, trusted: ssl.SSLContext) -> None:
    network = public(secure, trusted)
    assert post(f"https://{HOST}/a/b?c=%20&d", network, loopback=False) == Answer(204)
    assert post(f"https://{HOST}:443", network, loopback=False) == Answer(204)
    (first, second) = secure.received
    assert (first.path, first.body, second.path) == ("/a/b?c=%20&d", BODY.decode(), "/")
    own = {"host": HOST, "user-agent": "brskills/test", "connection": "close", "content-length": "9"}
    sent = {name.lower(): value for name, value in SENT.items()}
    assert {name: value for name, value in first.headers.items() if name} == own | sent
    assert second.headers["host"] == f"{HOST}:443"


@pytest.mark.parametrize("status", [200, 204, 301, 302, 307, 308, 400, 404, 410, 500, 503, 599])
def test_any_status_is_the_answer_and_no_redirect_is_followed(receiving: Receiver, status: int) -> None:
    elsewhere = receiving.url("/elsewhere")
    receiving.usual = answer(status, f"Location: {elsewhere}", "Set-Cookie: a=b")
    posting = Poster("brskills/test", Network(allow_loopback=True))

    async def twice() -> list[Answer]:
        return [await posting.post(receiving.url(), SENT, BODY) for _ in range(2)]

    assert asyncio.run(twice()) == [Answer(status)] * 2
    assert [one.path for one in receiving.received] == ["/", "/"]
    assert not any("cookie" in one.headers for one in receiving.received)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (["Retry-After: 120"], 120),
        (["retry-after:0"], 0),
        (["Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"], 0),
        (["Retry-After: -5"], 0),
        (["Retry-After: ²"], 0),
        (["Retry-After: 99999999999999999999"], 0),
        (["Retry-After: 1", "Retry-After: 2"], 0),
    ],
)
def test_how_long_to_wait_is_read_in_seconds(receiving: Receiver, headers: list[str], seconds: int) -> None:
    lines = "\r\n".join(["HTTP/1.1 503 Busy", *headers, "", ""])
    receiving.usual = send(lines.encode("latin-1"))
    assert post(receiving.url()) == Answer(503, "", seconds)


def test_a_body_is_left_unread(receiving: Receiver) -> None:
    chunk = b"x" * 1_000_000
    receiving.usual = send(OK + b"Content-Length: 10000000000\r\n\r\n", *[chunk] * 10_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert [post(receiving.url()) for _ in range(20)] == [Answer(200)] * 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "answering",
    [
        hold,
        answer(after=60),
        send(b"H", every=0.05, times=10_000),
        send(OK, b"a: b\r\n", every=0.05, times=10_000),
        send(b"HTTP/1.1 103 Early Hints\r\n\r\n", every=0.05, times=10_000),
    ],
    ids=["never", "late", "dripped", "dripped headers", "dripped hints"],
)
def test_a_slow_answer_is_a_time_out(receiving: Receiver, answering: Any) -> None:
    receiving.usual = answering
    assert post(receiving.url()) == Answer(None, "timeout")


@pytest.mark.parametrize(
    "answering",
    [
        close,
        send(b"HTTP/1.1 200"),
        send(b"\x00\x01" * 50 + b"\r\n\r\n"),
        send(b"HTTP/1.1 2000 OK\r\n\r\n"),
        send(b"SSH-2.0-x\r\n\r\n"),
        send(b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
        send(OK, *[b"a: b\r\n"] * (MAX_HEAD_BYTES // 6 + 1), b"\r\n"),
        send(OK + b"a: " + b"b" * 10_000_000),
        send(b"HTTP/1.1 103 Early Hints\r\n\r\n", times=1_000_000),
    ],
    ids=["closed", "cut", "binary", "status", "protocol", "upgrade", "headers", "header", "hints"],
)
def test_no_answer_or_one_that_is_unreadable_or_too_long(receiving: Receiver, answering: Any) -> None:
    receiving.usual = answering
    assert post(receiving.url()) == Answer(None, "connection")


def test_provisional_answers_are_passed_over(receiving: Receiver) -> None:
    receiving.usual = send(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 202 X\r\n\r\n")
    assert post(receiving.url()) == Answer(202)


def test_where_nothing_listens(receiving: Receiver) -> None:
    assert post("http://127.0.0.1:1/") == Answer(None, "connection")


def test_the_certificate_is_verified_for_the_name(secure: Receiver, trusted: ssl.SSLContext) -> None:
    assert post(f"https://other{HOST}/", public(secure, trusted)) == Answer(None, "tls")
    unknown = ssl.create_default_context()
    assert post(f"https://{HOST}/", public(secure, unknown)) == Answer(None, "tls")
    assert secure.received == []


@pytest.mark.usefixtures("impatient")
def test_no_tls_at_its_port(receiving: Receiver, trusted: ssl.SSLContext) -> None:
    receiving.usual = answer()
    found = post(f"https://{HOST}/", public(receiving, trusted))
    assert found.status is None
    assert found.error in {"tls", "connection", "timeout"}
    assert receiving.received == []


@pytest.mark.parametrize(
    "found",
    [
        ["10.0.0.1"], ["127.0.0.1"], ["169.254.169.254"], ["::1"], ["fd00::1"], ["::ffff:127.0.0.1"],
        ["0.0.0.0"], ["8.8.8.8", "192.168.0.1"], ["64:ff9b::7f00:1"], ["100.64.0.1"], [],
    ],
)  # fmt: skip
@pytest.mark.parametrize("loopback", [False, True])
def test_a_name_that_leads_to_a_private_address_is_not_connected_to(found: list[str], loopback: bool) -> None:
    asked: list[str] = []
    network = Network(resolve=at(*found, asked=asked))
    assert post(f"https://{HOST}/", network, loopback=loopback) == Answer(None, "forbidden_address")
    assert asked == [HOST]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "[::1]", "localhost", "LOCALHOST"])
def test_this_machine_is_allowed_only_if_it_is_told(receiving: Receiver, host: str) -> None:
    address = f"http://{host}:{receiving.port}/"
    assert post(address, loopback=False) == Answer(None, "forbidden_address")
    assert post(address.replace("http:", "https:"), loopback=False) == Answer(None, "forbidden_address")
    assert receiving.connections == 0
    if host in {"127.0.0.1", "localhost", "LOCALHOST"}:
        assert post(address) == Answer(204)


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example/", "https://hooks.example:8443/", "https://u@hooks.example/", "ftp://hooks.example/",
        "https://hooks.example:x/", "https:///", "hooks.example", "https://[::1", "https://hooks.example/é",
        "https://hooks.example/a b", "https://é.example/", "", "http://127.0.0.1.example/", "http://0x7f000001/",
        "https://@hooks.example/",
    ],
)  # fmt: skip
def test_other_addresses_are_not_resolved(address: str) -> None:
    asked: list[str] = []
    network = Network(resolve=at("8.8.8.8", asked=asked), is_allowed=lambda _: False)
    assert post(address, network) == Answer(None, "forbidden_address")
    assert asked == []


def test_a_name_that_nobody_knows() -> None:
    assert post("https://nowhere.invalid/", Network()) == Answer(None, "dns")


def test_one_of_several_addresses_is_enough(secure: Receiver, trusted: ssl.SSLContext) -> None:
    network = public(secure, trusted, ["127.9.9.9", "127.0.0.1"])
    assert post(f"https://{HOST}/", network) == Answer(204)
    assert post(f"https://{HOST}/", public(secure, trusted, ["127.9.9.9"])) == Answer(None, "connection")
    assert len(secure.received) == 1


def test_no_proxy_of_the_environment_is_asked(
    receiving: Receiver, secure: Receiver, trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(name, receiving.url())
    assert post(f"https://{HOST}/", public(secure, trusted)) == Answer(204)
    assert receiving.connections == 0
