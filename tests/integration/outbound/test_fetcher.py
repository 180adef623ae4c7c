"""Whatever an address leads to and a server sends, a request goes where it may and reads within bounds."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.outbound import fetcher as fetching
from brskills_server.outbound.fetcher import Fetcher, Unreadable
from brskills_server.outbound.public_network import Forbidden, Network, Resolve
from brskills_server.outbound.wire import MAX_HEAD_BYTES, MAX_HEAD_READS, MAX_PIECES, TooLarge
from tests.integration.conftest import HOST, SHARP
from tests.services.receiver import Answering, Receiver, answer, send
from tests.services.silent import Silent

AGENT, MOST = "brskills/test", 100_000
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GZIP = HEAD + b"Content-Encoding: gzip\r\n\r\n"
HINT = b"HTTP/1.1 103 Early Hints\r\n\r\n"


def at(*addresses: str, asked: list[str] | None = None) -> Resolve:
    """Resolve every name to these addresses."""

    async def resolve(host: str, port: int) -> list[str]:
        if asked is not None:
            asked.append(host)
        return list(addresses)

    return resolve


@pytest.fixture
def network(secure: Receiver, trusted: ssl.SSLContext) -> Network:
    """Every name is on loopback, which is allowed here."""
    return Network(at("127.0.0.1"), lambda address: address.startswith("127."), secure.port, trusted)


def get(network: Network, address: str = f"https://{HOST}/", most: int = MOST) -> Any:
    """Return the reply, or the kind of the exception."""
    try:
        return asyncio.run(Fetcher(AGENT, network).get(address, "*/*", most))
    except Exception as error:
        return type(error)


def test_a_request_is_as_it_was_asked_for(network: Network, secure: Receiver) -> None:
    secure.usual = send(HEAD + b"\r\n{}")
    status, media_type, body, certificate = get(network, f"https://{HOST}/a/b?c=%20&d")
    assert (status, media_type, body) == (200, "application/json", b"{}")
    assert certificate
    (one,) = secure.received
    sent = {"host": HOST, "accept": "*/*", "accept-encoding": "identity", "user-agent": AGENT}
    assert (one.path, {name: value for name, value in one.headers.items() if name}) == ("/a/b?c=%20&d", sent)
    assert secure.names == [HOST]


def test_a_name_that_leads_to_a_private_address_is_not_connected_to() -> None:
    for found in (
        ["10.0.0.1"], ["127.0.0.1"], ["169.254.169.254"], ["::1"], ["fd00::1"], ["::ffff:127.0.0.1"],
        ["0.0.0.0"], ["8.8.8.8", "192.168.0.1"], ["2606:4700::1", "::1"], ["64:ff9b::7f00:1"],
        ["100.64.0.1"], [],
    ):  # fmt: skip
        for allow_loopback in (False, True):
            network = Network(at(*found), allow_loopback=allow_loopback)
            assert get(network) is Forbidden, (found, allow_loopback)


def test_an_address_of_another_scheme_or_port_is_not_resolved(receiving: Receiver) -> None:
    asked: list[str] = []
    network = Network(at("127.0.0.1", asked=asked), lambda _: True, receiving.port)
    for address in (
        f"http://{HOST}/",
        f"http://{HOST}:443/",
        f"https://{HOST}:8443/",
        f"http://127.0.0.1:{receiving.port}/",
        f"ftp://{HOST}/",
    ):
        assert get(network, address) is Forbidden, address
    assert (asked, receiving.connections) == ([], 0)


def test_the_address_that_was_checked_is_the_one_connected_to(network: Network, secure: Receiver) -> None:
    """A name that means another machine at the second look does not matter: there is none."""
    answers = iter([["127.0.0.1"]])

    async def resolve(host: str, port: int) -> list[str]:
        assert (host, port) == (HOST, secure.port)
        return next(answers)

    assert get(replace(network, resolve=resolve)).status == 204
    assert len(secure.received) == 1


def test_a_name_of_other_letters_is_asked_for_as_it_is_written(
    network: Network,
    secure: Receiver,
) -> None:
    """A conversion could lead to another host than the one displayed."""
    asked: list[str] = []
    assert get(replace(network, resolve=at("127.0.0.1", asked=asked)), f"https://{SHARP}/").status == 204
    assert (asked, secure.names, secure.received[0].headers["host"]) == ([SHARP], [SHARP], SHARP)


def test_the_operator_may_name_another_place(network: Network, secure: Receiver) -> None:
    instead = Network(certificates=network.certificates, connect_to={HOST: ("127.0.0.1", secure.port)})
    assert get(instead, f"https://{HOST.upper()}/").status == 204
    assert secure.names == [HOST]


def test_one_of_three_addresses_is_enough(
    network: Network, secure: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "CONNECT_SECONDS", 0.2)
    refused, silent, full, right = "127.9.9.9", "127.0.0.2", "127.0.0.3", "127.0.0.1"

    def asked(*addresses: str) -> Any:
        return get(replace(network, resolve=at(*addresses)))

    with (
        socket.create_server((silent, secure.port)),  # the system accepts, and nobody answers the handshake
        socket.create_server((full, secure.port), backlog=0),
        socket.create_connection((full, secure.port)),  # hence no other one
    ):
        assert asked(refused, silent, right).status == 204
        assert asked(full, right).status == 204
    assert asked(refused) is httpx.ConnectError
    assert asked(refused, refused, refused, right) is httpx.ConnectError
    assert len(secure.received) == 2


def test_only_a_trusted_certificate_of_the_host_is_accepted(network: Network, secure: Receiver) -> None:
    assert get(network).status == 204
    assert get(network, f"https://wrong{HOST}/") is httpx.ConnectError
    assert get(replace(network, certificates=None)) is httpx.ConnectError
    assert get(replace(network, certificates=ssl.create_default_context())) is httpx.ConnectError
    assert len(secure.received) == 1


def test_nothing_is_followed_kept_or_taken_from_the_environment(
    network: Network, secure: Receiver, receiving: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passwords = tmp_path / "netrc"
    passwords.write_text(f"machine {HOST} login a password b\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(passwords))
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(name, receiving.url())
    fetcher = Fetcher(AGENT, network)

    async def ask(status: int) -> int:
        secure.usual = answer(status, f"Location: https://{HOST}/elsewhere", "Set-Cookie: a=b")
        return (await fetcher.get(f"https://{HOST}/", "*/*", MOST)).status

    async def ask_all(*statuses: int) -> list[int]:
        return [await ask(status) for status in statuses]

    statuses = [200, 301, 302, 303, 307, 308]
    assert asyncio.run(ask_all(*statuses)) == statuses
    assert [one.path for one in secure.received] == ["/"] * len(statuses)
    assert not any({"cookie", "authorization"} & one.headers.keys() for one in secure.received)
    assert receiving.connections == 0


PROTOCOL = httpx.RemoteProtocolError
BODIES: dict[str, tuple[Answering, bytes | type[Exception]]] = {
    "whole": (send(HEAD + b"\r\n" + b"a" * MOST), b"a" * MOST),
    "with its length": (send(HEAD + b"Content-Length: %d\r\n\r\n" % MOST, b"a" * MOST), b"a" * MOST),
    "longer": (send(HEAD + b"\r\n" + b"a" * (MOST + 1)), TooLarge),
    "endless": (send(HEAD + b"\r\n", *[b"a" * 65_536] * 1_000), TooLarge),
    "longer than said": (send(HEAD + b"Content-Length: 2\r\n\r\nabc"), b"ab"),
    "many pieces": (send(HEAD + b"\r\n", *[b"a"] * 1_000), b"a" * 1_000),
    "cut": (send(HEAD + b"Content-Length: 2\r\n\r\na"), PROTOCOL),
    "gzip": (send(GZIP + gzip.compress(b"a" * MOST)), b"a" * MOST),
    "gzip of more": (send(GZIP + gzip.compress(b"a" * (MOST + 1))), TooLarge),
    "a bomb": (send(GZIP + gzip.compress(b"a" * 50_000_000)), TooLarge),
    "bytes after gzip": (send(GZIP + gzip.compress(b"a") + b"a" * MOST), TooLarge),
    "half of gzip": (send(GZIP + gzip.compress(b"a" * 99)[:-9]), Unreadable),
    "no gzip": (send(GZIP + b"a"), Unreadable),
    "another coding": (send(HEAD + b"Content-Encoding: br\r\n\r\na"), Unreadable),
    "small chunks": (send(CHUNKED + b"1\r\na\r\n" * MAX_PIECES + b"0\r\n\r\n"), b"a" * MAX_PIECES),
    "chunks of one byte": (send(CHUNKED, b"1\r\na\r\n" * 10_000, b"0\r\n\r\n"), TooLarge),
    "extensions": (send(CHUNKED, *[b"1;" + b"x" * 50_000 + b"\r\na\r\n"] * 3, b"0\r\n\r\n"), PROTOCOL),
    "many trailers": (send(CHUNKED + b"0\r\n", *[b"a: b\r\n" * 1_000] * 16, b"\r\n"), b""),
    "endless trailers": (send(CHUNKED + b"0\r\n", *[b"a: b\r\n" * 1_000] * 99), PROTOCOL),
}  # fmt: skip


@pytest.mark.parametrize("case", BODIES)
def test_a_body_is_read_within_bounds(network: Network, secure: Receiver, case: str) -> None:
    secure.usual, expected = BODIES[case]
    found = get(network)
    assert (found if isinstance(expected, type) else found.body) == expected


LONGEST = (HEAD + b"a: ").ljust(MAX_HEAD_BYTES - 4, b"b")
HEADS: dict[str, tuple[Answering, int | type[Exception]]] = {
    "nothing": (send(), PROTOCOL),
    "cut": (send(b"HTTP/1.1 200"), PROTOCOL),
    "binary": (send(b"\x00\x01" * 50 + b"\r\n\r\n"), PROTOCOL),
    "status": (send(b"HTTP/1.1 2000 OK\r\n\r\n"), PROTOCOL),
    "protocol": (send(b"SSH-2.0-x\r\n\r\n"), PROTOCOL),
    "upgrade": (send(b"HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"), PROTOCOL),
    "the longest": (send(LONGEST + b"\r\n\r\n"), 200),
    "one byte more": (send(LONGEST + b"b\r\n\r\n"), PROTOCOL),
    "headers": (send(HEAD, *[b"a: b\r\n" * 100] * (MAX_HEAD_BYTES // 600 + 1), b"\r\n"), PROTOCOL),
    "header": (send(HEAD + b"a: " + b"b" * 10_000_000), PROTOCOL),
    "hints before": (send(HINT * 3 + HEAD + b"\r\n"), 200),
    "hints": (send(HINT * 1_000 + HEAD + b"\r\n"), PROTOCOL),
    "hints one by one": (send(*[HINT] * MAX_HEAD_READS, HEAD + b"\r\n"), PROTOCOL),  # a read each, by TLS
    "byte by byte": (send(*[bytes([each]) for each in HEAD + b"\r\n"]), 200),
}


@pytest.mark.parametrize("case", HEADS)
def test_a_head_and_what_is_before_it_have_bounds(network: Network, secure: Receiver, case: str) -> None:
    secure.usual, expected = HEADS[case]
    found = get(network)
    assert (found if isinstance(expected, type) else found.status) == expected


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)


def test_a_handshake_that_is_given_up_is_closed_at_once(trusted: ssl.SSLContext) -> None:
    async def give_up(silent: Silent) -> None:
        network = Network(certificates=trusted, connect_to={HOST: ("127.0.0.1", silent.port)})
        asking = asyncio.create_task(Fetcher(AGENT, network).get(f"https://{HOST}/", "*/*", MOST))
        await until(lambda: silent.open == 1)
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        await until(lambda: silent.open == 0)

    with closing(Silent()) as silent:
        asyncio.run(give_up(silent))
