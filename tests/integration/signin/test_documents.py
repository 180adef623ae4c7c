"""Clients' documents: fetched from the public internet, within limits, and from nowhere else."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from brskills_server.outbound.public_network import Network, Resolve, is_public, resolve
from brskills_server.web.signin import client_documents as fetching
from brskills_server.web.signin.client_documents import MAX_BYTES, MAX_CONCURRENT, ClientDocuments
from brskills_server.web.signin.client_lookup import Busy
from tests.for_each import for_each
from tests.services.site import Site, answer_of, site

HOST = "app.example"
ADDRESS = f"https://{HOST}/oauth/client.json"
SHARP = "xn--strae-oqa.example"  # straße.example, by the older rules of such names strasse.example
DOCUMENT = {
    "client_id": ADDRESS,
    "client_name": "Assistente",
    "client_uri": "https://app.example",
    "redirect_uris": ["https://app.example/cb", "http://127.0.0.1/cb"],
    "token_endpoint_auth_method": "none",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("site"), HOST, "other.example", SHARP) as found:
        yield found


def at(*addresses: str) -> Resolve:
    """Return a resolver by which every name has these addresses."""

    async def resolve(host: str, port: int) -> list[str]:
        return [*addresses]

    return resolve


@pytest.fixture
def network(page: Site) -> Network:
    """Every name is on loopback, which is allowed here."""
    page.answers.clear()
    page.asked.clear()
    return Network(at("127.0.0.1"), lambda address: address == "127.0.0.1", page.port, page.trusted)


@pytest.fixture
def serve(page: Site):
    def put(content: Any, *headers: str, status: str = "200 OK", path: str = "/oauth/client.json") -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        page.answers[path] = lambda: answer_of(body, *headers, status=status)

    return put


def read(network: Network, address: str = ADDRESS):
    documents = ClientDocuments("brskills/test", lambda: 5.0, network)
    try:
        return documents.client(address)
    finally:
        documents.close()


def test_a_document_has_its_client(network, page, serve) -> None:
    serve(DOCUMENT)
    client = read(network)
    assert client is not None
    assert (client.id, client.name, client.created_at) == (ADDRESS, "Assistente", 5)
    assert client.redirect_uris == ("https://app.example/cb", "http://127.0.0.1/cb")
    ((named, head),) = page.asked
    assert named == HOST
    assert head.startswith("GET /oauth/client.json HTTP/1.1\r\n")
    assert f"\r\nHost: {HOST}\r\n" in head
    assert "\r\nAccept-Encoding: identity\r\n" in head
    assert "cookie" not in head.lower()


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": "https://app.example/oauth/client.json?"},
        {"client_id": "https://other.example/oauth/client.json"},
        {"client_id": None},
        {"redirect_uris": []},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": "https://app.example/cb"},
        {"response_types": ["token"]},
        *(b"", b"<html>", b"[]", b'"a"', b"\xff", b"[" * 60_000),
    ],
)
def test_a_document_of_another_or_invalid_client_is_none(network, serve, change) -> None:
    serve(change if isinstance(change, bytes) else {**DOCUMENT, **change})
    assert read(network) is None


def test_a_redirect_is_not_followed(network, page, serve) -> None:
    serve(DOCUMENT, path="/moved.json")
    for status in ("301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"):
        serve(b"", f"Location: https://{HOST}/moved.json", status=status)
        assert read(network) is None
    assert [head.split(" ")[1] for _, head in page.asked] == ["/oauth/client.json"] * 4


def test_a_document_has_a_greatest_length_said_or_not(network, page, serve) -> None:
    serve({**DOCUMENT, "x": "a" * (MAX_BYTES - len(json.dumps(DOCUMENT)) - len(', "x": ""'))})
    assert read(network) is not None
    serve({**DOCUMENT, "x": "a" * MAX_BYTES})
    assert read(network) is None
    endless = [b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", *[b" " * 65_536] * 64]
    page.answers["/oauth/client.json"] = lambda: endless
    assert read(network) is None


def test_another_status_or_type_or_a_compressed_response_is_none(network, serve) -> None:
    for status in ("204 No Content", "404 Not Found", "500 Oops", "206 Partial Content"):
        serve(b"" if status.startswith("204") else DOCUMENT, status=status)
        assert read(network) is None, status
    for header in ("Content-Encoding: gzip", "Content-Encoding: br", "Content-Type: text/html"):
        serve(DOCUMENT, header)
        assert read(network) is None, header


@pytest.mark.parametrize("path", ["head", "body"])
def test_a_slow_response_times_out(network, page, monkeypatch, path) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.3)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    drops: list[bytes | float] = []
    for n in range(6):  # each well within any time-out of a single read
        drops += [b"X-%d: a\r\n" % n if path == "head" else b" ", 0.1]
    rest = b"Content-Length: %d\r\n\r\n" % len(json.dumps(DOCUMENT))
    whole = [head, *drops, rest + json.dumps(DOCUMENT).encode()]
    if path == "body":
        whole = [head + b"Connection: close\r\n\r\n", *drops, json.dumps(DOCUMENT).encode()]
    page.answers["/oauth/client.json"] = lambda: whole
    assert read(network) is None
    monkeypatch.setattr(fetching, "SECONDS", 30)
    assert read(network) is not None


PRIVATE_TEXT = """
127.0.0.1 10.1.2.3 192.168.0.1 172.16.0.1 169.254.169.254 169.254.170.2 100.64.0.1 0.0.0.0 255.255.255.255
224.0.0.1 192.0.2.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 ::ffff:127.0.0.1
::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 2002:7f00:1:: 2002:a9fe:a9fe::1
2001:0:4136:e378:8000:63bf:80ff:fffe 2001:db8::1
"""
PRIVATE = PRIVATE_TEXT.split()


@pytest.mark.parametrize(
    "found",
    [*([one] for one in PRIVATE), ["8.8.8.8", "127.0.0.1"], ["2606:4700::1", "::1"], []],
    ids=" ".join,
)
def test_no_private_address_is_connected_to(network, page, serve, found) -> None:
    serve(DOCUMENT)
    assert read(replace(network, resolve=at(*found), is_allowed=is_public)) is None
    assert page.asked == []


def test_addresses_of_the_internet_are_allowed() -> None:
    for address in ("8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "2002:808:808::1"):
        assert is_public(address)


def test_the_address_that_was_checked_is_the_one_connected_to(network, page, serve) -> None:
    """A name that means another machine at the second look does not matter: there is none."""
    serve(DOCUMENT)
    answers = iter([["127.0.0.1"]])

    async def resolve(host: str, port: int) -> list[str]:
        assert (host, port) == (HOST, page.port)
        return next(answers)

    assert read(replace(network, resolve=resolve)) is not None
    assert len(page.asked) == 1


def test_an_address_out_of_reach_is_not_the_end_of_it(network, serve) -> None:
    serve(DOCUMENT)
    found = at("127.0.0.9", "127.0.0.1")  # nobody listens at the first
    allowed = replace(network, resolve=found, is_allowed=lambda address: address.startswith("127."))
    assert read(allowed) is not None


def test_a_certificate_is_held_to_the_name_and_not_to_the_address(network, page, serve) -> None:
    serve({**DOCUMENT, "client_id": "https://wrong.example/oauth/client.json"})
    assert read(network, "https://wrong.example/oauth/client.json") is None
    serve({**DOCUMENT, "client_id": "https://other.example/oauth/client.json"})
    assert read(network, "https://other.example/oauth/client.json") is not None


def test_a_name_of_other_letters_is_asked_for_as_it_is_written(network, page, serve) -> None:
    """A conversion could lead to another host than the one displayed."""
    address = f"https://{SHARP}/oauth/client.json"
    serve({**DOCUMENT, "client_id": address})
    resolved: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        resolved.append(host)
        return ["127.0.0.1"]

    assert read(replace(network, resolve=resolve), address) is not None
    ((named, head),) = page.asked
    assert (resolved, named) == ([SHARP], SHARP)
    assert f"\r\nHost: {SHARP}\r\n" in head


def test_a_certificate_that_nobody_vouches_for_is_none(network, serve) -> None:
    serve(DOCUMENT)
    assert read(replace(network, certificates=None)) is None


def test_neither_a_proxy_nor_a_password_file_is_asked(network, serve, monkeypatch, page) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    serve(DOCUMENT)
    assert read(network) is not None


def test_the_next_of_too_many_at_once_is_refused_and_does_not_wait(network, serve, monkeypatch) -> None:
    """Slow documents occupy some of the sign-in's threads, not all."""
    serve(DOCUMENT)
    monkeypatch.setattr(fetching, "SECONDS", 30)
    under_way, may_go_on = threading.Semaphore(0), threading.Event()

    async def resolve(host: str, port: int) -> list[str]:
        under_way.release()
        while not may_go_on.is_set():
            await asyncio.sleep(0.01)
        return ["127.0.0.1"]

    documents = ClientDocuments("brskills/test", lambda: 5.0, replace(network, resolve=resolve))
    with ThreadPoolExecutor(MAX_CONCURRENT) as threads:
        reading = [threads.submit(documents.client, ADDRESS) for _ in range(MAX_CONCURRENT)]
        for _ in reading:
            under_way.acquire()
        with pytest.raises(Busy):
            documents.client(ADDRESS)
        may_go_on.set()
        assert all(found.result() for found in reading)
    assert documents.client(ADDRESS) is not None
    documents.close()


def test_a_name_that_is_nowhere_is_none(network) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    assert read(replace(network, resolve=resolve)) is None


def test_slow_names_do_not_block_others(monkeypatch) -> None:
    """A look-up continues after our time-out: only the system's ends it."""
    may_go_on = threading.Event()

    def getaddrinfo(host: str, *_: Any, **__: Any) -> list[Any]:
        if host == "slow.example":
            may_go_on.wait()
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 443))]

    async def look_up() -> list[str]:
        slow = [asyncio.create_task(resolve("slow.example", 443)) for _ in range(3 * MAX_CONCURRENT)]
        await asyncio.sleep(0)
        try:
            return await asyncio.wait_for(resolve("app.example", 443), 30)
        finally:
            may_go_on.set()
            await asyncio.gather(*slow)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert asyncio.run(look_up()) == ["192.0.2.1"]


def test_a_slow_resolver_times_out(network, monkeypatch) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.2)

    async def resolve(host: str, port: int) -> list[str]:
        await asyncio.sleep(3600)
        return []

    assert read(replace(network, resolve=resolve)) is None


NO_DOCUMENTS_TEXT = """
http://app.example/client.json https://app.example https://app.example/
https://app.example:8443/client.json https://app.example:443/client.json https://user@app.example/client.json
https://app.example/client.json?a=b https://app.example/client.json#a https://app.example/a/../client.json
https://app.example/%2e%2e/client.json https://127.0.0.1/client.json https://2130706433/client.json
https://0x7f.1/client.json https://0177.0.0.1/client.json https://[::1]/client.json
https://localhost/client.json https://APP.example/client.json file:///etc/passwd
gopher://app.example/client.json https://app.example/
"""
NO_DOCUMENTS = NO_DOCUMENTS_TEXT.split()


@pytest.mark.parametrize("address", [*NO_DOCUMENTS, "https://app.example/" + "a" * 300])
def test_an_id_that_is_not_the_address_of_a_document_is_not_looked_at(network, page, address) -> None:
    assert read(network, address) is None
    assert page.asked == []


@for_each(
    "address", [*PRIVATE, "192.0.0.192", "::ffff:192.0.0.192", "192.88.99.1", "3fff::1", "::ffff:0:10.0.0.1"]
)
def test_addresses_of_no_public_host_are_not_allowed(address) -> None:
    assert not is_public(address)
