"""Clients' documents: fetched from the public internet, within limits, and from nowhere else."""

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from brskills_server.outbound.public_network import Network, is_public
from brskills_server.web.signin import client_documents as fetching
from brskills_server.web.signin.client_documents import MAX_BYTES, MAX_CONCURRENT, ClientDocuments
from brskills_server.web.signin.client_lookup import Busy
from tests.services.site import Site, answer_of, site

HOST = "app.example"
ADDRESS = f"https://{HOST}/oauth/client.json"
DOCUMENT = {
    "client_id": ADDRESS,
    "client_name": "Assistente",
    "client_uri": "https://app.example",
    "redirect_uris": ["https://app.example/cb", "http://127.0.0.1/cb"],
    "token_endpoint_auth_method": "none",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("site"), HOST) as found:
        yield found


@pytest.fixture
def network(page: Site) -> Network:
    """Every name is on loopback, which is allowed here."""
    page.answers.clear()
    page.asked.clear()

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    return Network(resolve, lambda address: address == "127.0.0.1", page.port, page.trusted)


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
    ((_, head),) = page.asked
    assert head.startswith("GET /oauth/client.json HTTP/1.1\r\n")


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


def test_a_document_has_a_greatest_length(network, serve) -> None:
    serve({**DOCUMENT, "x": "a" * (MAX_BYTES - len(json.dumps(DOCUMENT)) - len(', "x": ""'))})
    assert read(network) is not None
    serve({**DOCUMENT, "x": "a" * MAX_BYTES})
    assert read(network) is None


def test_another_status_or_type_or_a_compressed_response_is_none(network, serve) -> None:
    for status in ("204 No Content", "404 Not Found", "500 Oops", "206 Partial Content", "302 Found"):
        serve(b"" if status.startswith("204") else DOCUMENT, status=status)
        assert read(network) is None, status
    for header in ("Content-Encoding: gzip", "Content-Encoding: br", "Content-Type: text/html"):
        serve(DOCUMENT, header)
        assert read(network) is None, header


def test_a_slow_response_times_out(network, page, monkeypatch) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
    drops: list[bytes | float] = [b" ", 0.1] * 6  # each well within any time-out of a single read
    page.answers["/oauth/client.json"] = lambda: [head, *drops, json.dumps(DOCUMENT).encode()]
    monkeypatch.setattr(fetching, "SECONDS", 0.3)
    assert read(network) is None
    monkeypatch.setattr(fetching, "SECONDS", 30)
    assert read(network) is not None


def test_a_document_that_cannot_be_reached_is_none(network, serve, page) -> None:
    async def fail(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    serve(DOCUMENT)
    assert read(replace(network, resolve=fail)) is None
    assert read(replace(network, is_allowed=is_public)) is None
    assert read(replace(network, certificates=None)) is None
    assert page.asked == []


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
