"""Whatever an address resolves to and whatever a receiver does, a post ends in time and reads only a head."""

from __future__ import annotations

import asyncio
import resource
import ssl
from dataclasses import replace
from typing import Any

import pytest

from brskills_server.outbound.public_network import Network
from brskills_server.webhooks import poster
from brskills_server.webhooks.poster import Answer, Poster
from tests.client.hostile import served, trickle
from tests.integration.conftest import HOST
from tests.services.receiver import Receiver, answer, hold, send

BODY = '{"é": 1}'.encode()
SENT = {"Content-Type": "application/json", "webhook-id": "msg_1"}
OK = b"HTTP/1.1 200 OK\r\n"


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


def test_a_request_is_as_it_was_asked_for(secure: Receiver, trusted: ssl.SSLContext) -> None:
    network = Network(at("127.0.0.1"), lambda _: True, secure.port, trusted)
    assert post(f"https://{HOST}/a/../b?c=%20&d", network, loopback=False) == Answer(204)
    assert post(f"https://{HOST}:443", network, loopback=False) == Answer(204)
    (first, second) = secure.received
    assert (first.path, first.body, second.path) == ("/a/../b?c=%20&d", BODY.decode(), "/")
    own = {"host": HOST, "user-agent": "brskills/test", "connection": "close", "content-length": "9"}
    sent = {name.lower(): value for name, value in SENT.items()}
    assert {name: value for name, value in first.headers.items() if name} == own | sent
    assert second.headers["host"] == f"{HOST}:443"


def test_any_status_is_the_answer_and_no_redirect_is_followed(receiving: Receiver) -> None:
    statuses = (200, 204, 301, 302, 307, 308, 400, 404, 410, 500, 503, 599)
    for status in statuses:
        receiving.usual = answer(status, f"Location: {receiving.url('/elsewhere')}")
        assert post(receiving.url()) == Answer(status)
    assert [one.path for one in receiving.received] == ["/"] * len(statuses)


def test_how_long_to_wait_is_read_in_seconds(receiving: Receiver) -> None:
    for headers, seconds in (
        (["Retry-After: 120"], 120),
        (["retry-after:0"], 0),
        (["Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"], 0),
        (["Retry-After: -5"], 0),
        (["Retry-After: ²"], 0),
        (["Retry-After: 99999999999999999999"], 0),
        (["Retry-After: 1", "Retry-After: 2"], 0),
    ):
        receiving.usual = send("\r\n".join(["HTTP/1.1 503 Busy", *headers, "", ""]).encode("latin-1"))
        assert post(receiving.url()) == Answer(503, "", seconds), headers


def test_a_body_is_left_unread(receiving: Receiver) -> None:
    chunk = b"x" * 1_000_000
    receiving.usual = send(OK + b"Content-Length: 10000000000\r\n\r\n", *[chunk] * 10_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert [post(receiving.url()) for _ in range(20)] == [Answer(200)] * 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000
    receiving.usual = send(OK + b"Content-Length: 10000\r\n\r\n", *[b"x"] * 10_000, every=0.05)
    assert post(receiving.url()) == Answer(200)


def test_a_slow_answer_is_a_time_out(receiving: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poster, "SECONDS", 0.5)
    for answering in (hold, send(OK, b"a: b\r\n", every=0.05, times=10_000)):
        receiving.usual = answering
        assert post(receiving.url()) == Answer(None, "timeout")


def test_a_dripped_handshake_is_a_time_out(trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poster, "SECONDS", 0.5)
    head_of_a_record = b"\x16\x03\x03\x40\x00"
    with served(trickle(head_of_a_record)) as (url, _):
        network = Network(at("127.0.0.1"), lambda _: True, int(url.rpartition(":")[2]), trusted)
        assert post(f"https://{HOST}/", network) == Answer(None, "timeout")


def test_this_machine_is_allowed_only_if_it_is_told(receiving: Receiver) -> None:
    for host in ("127.0.0.1", "127.9.9.9", "[::1]", "localhost", "LOCALHOST"):
        address = f"http://{host}:{receiving.port}/"
        for one in (address, address.replace("http:", "https:")):
            assert post(one, loopback=False) == Answer(None, "forbidden_address"), one
        assert receiving.connections == 0
    for host in ("127.0.0.1", "localhost", "LOCALHOST"):
        assert post(f"http://{host}:{receiving.port}/") == Answer(204), host


def test_other_addresses_are_not_resolved() -> None:
    asked: list[str] = []
    network = Network(resolve=at("8.8.8.8", asked=asked), is_allowed=lambda _: False)
    for address in (
        "http://hooks.example/", "https://hooks.example:8443/", "https://u@hooks.example/", "ftp://hooks.example/",
        "https://hooks.example:x/", "https:///", "hooks.example", "https://[::1", "https://hooks.example/é",
        "https://hooks.example/a b", "https://é.example/", "", "http://127.0.0.1.example/", "http://0x7f000001/",
        "https://@hooks.example/",
    ):  # fmt: skip
        assert post(address, network) == Answer(None, "forbidden_address"), address
    assert asked == []


def test_a_name_that_leads_to_a_private_address_is_not_connected_to() -> None:
    assert post(f"https://{HOST}/", Network(resolve=at("10.0.0.1"))) == Answer(None, "forbidden_address")


def test_a_name_that_nobody_knows() -> None:
    assert post("https://nowhere.invalid/", Network()) == Answer(None, "dns")
