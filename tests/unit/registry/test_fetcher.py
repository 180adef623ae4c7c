"""What a provider sends is believed only where it is strict JSON in UTF-8 that can be written again."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.fetcher import Fetcher
from brskills_server.registry.providers.results import Found, Rejected
from tests.simulator.companies import DATA

RECORDED = (DATA / "opencnpj/petrobras_readme.json").read_text(encoding="utf-8")
NAME = "PETROLEO BRASILEIRO S A PETROBRAS"


def fetch(body: bytes) -> object:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=body))

    async def ask() -> object:
        fetcher = Fetcher({}, "test", transport=transport)
        try:
            return await fetcher.fetch_company(PROVIDERS["opencnpj"], "33000167000101")
        finally:
            await fetcher.close()

    return asyncio.run(ask())


def named(name: str) -> str:
    assert NAME in RECORDED
    return RECORDED.replace(NAME, name)


@pytest.mark.parametrize(
    "body",
    [
        named("PETRO\\ud800BRAS").encode(),
        named("PETRO\\uDFFFBRAS").encode(),
        named("PETRO\ud800BRAS").encode("utf-8", "surrogatepass"),
        named("PETRÓLEO").encode("latin-1"),
        RECORDED.encode("utf-16"),
    ],
    ids=["escaped", "escaped in capitals", "raw", "latin-1", "utf-16"],
)
def test_what_could_not_be_sent_on_is_rejected(body: bytes) -> None:
    assert isinstance(fetch(body), Rejected)


@pytest.mark.parametrize("body", [RECORDED.encode(), b"\xef\xbb\xbf" + RECORDED.encode()])
def test_the_recorded_answer_is_found_also_behind_a_byte_order_mark(body: bytes) -> None:
    assert isinstance(fetch(body), Found)


def test_a_whole_surrogate_pair_is_a_character() -> None:
    found = fetch(named("PADARIA \\ud83c\\udf5e").encode())
    assert isinstance(found, Found)
    assert found.record.razao_social == "PADARIA 🍞"
