"""The requests of a provider, and which of its replies count as answers."""

from __future__ import annotations

import httpx
import pytest

from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.client import MAX_BYTES, ProviderClient
from brskills_server.registry.providers.results import AttemptResult, Found, Rejected
from tests.simulator.clock import run
from tests.simulator.companies import DATA
from tests.simulator.transport import Answered

OPENCNPJ = PROVIDERS["opencnpj"]
RECORDED = (DATA / "opencnpj/petrobras_readme.json").read_text(encoding="utf-8")
GOOD = RECORDED.encode()
NAME = "PETROLEO BRASILEIRO S A PETROBRAS"
NUMBER = "33000167000101"


def fetch(body: bytes, cnpj: str = NUMBER) -> AttemptResult:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=body))
    return run(ProviderClient({}, Answered(transport)).fetch_company(OPENCNPJ, cnpj))


def named(name: str) -> str:
    assert NAME in RECORDED
    return RECORDED.replace(NAME, name)


@pytest.mark.parametrize(
    ("body", "cnpj", "kind"),
    [
        (GOOD, NUMBER, Found),
        (b"\xef\xbb\xbf" + GOOD, NUMBER, Found),  # a byte-order mark
        (GOOD, "00000000E08G12", Rejected),  # another company
        (GOOD + b" " * (MAX_BYTES - len(GOOD)), NUMBER, Found),
        (GOOD + b" " * (MAX_BYTES - len(GOOD) + 1), NUMBER, Rejected),
        # What could be neither stored nor sent.
        (named("PETRO\\ud800BRAS").encode(), NUMBER, Rejected),
        (named("PETRO\\uDFFFBRAS").encode(), NUMBER, Rejected),
        (named("PETRO\ud800BRAS").encode("utf-8", "surrogatepass"), NUMBER, Rejected),
        (named("PETRÓLEO").encode("latin-1"), NUMBER, Rejected),
        (RECORDED.encode("utf-16"), NUMBER, Rejected),
    ],
)
def test_which_replies_are_answers(body: bytes, cnpj: str, kind: type[AttemptResult]) -> None:
    assert type(fetch(body, cnpj)) is kind


def test_a_whole_surrogate_pair_is_a_character() -> None:
    found = fetch(named("PADARIA \\ud83c\\udf5e").encode())
    assert isinstance(found, Found)
    assert found.record.razao_social == "PADARIA 🍞"


def test_the_request_of_a_provider() -> None:
    seen: list[httpx.Request] = []

    def reply(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=GOOD)

    fetcher = ProviderClient(
        {"opencnpj": "http://127.0.0.1:9/"}, Answered(httpx.MockTransport(reply), "brskills/1.0 (+here)")
    )
    run(fetcher.fetch_company(OPENCNPJ, NUMBER))
    assert str(seen[0].url) == f"http://127.0.0.1:9/{NUMBER}"
    assert seen[0].headers["user-agent"] == "brskills/1.0 (+here)"
    assert seen[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    ("provider", "path", "body", "day"),
    [
        ("opencnpj", "/info", (DATA / "opencnpj/info_2026-10-01.json").read_bytes(), "2026-09-15"),
        ("minhareceita", "/updated", (DATA / "minhareceita/updated.json").read_bytes(), "2026-11-10"),
        ("brasilapi", "/updated", (DATA / "minhareceita/updated.json").read_bytes(), "2026-11-10"),
        *(
            ("opencnpj", "/info", body, "None")
            for body in (b"", b"[]", b'"<html>"', b"{", b'{"last_updated": 5}', b'{"last_updated": "?"}')
        ),
    ],
)
def test_the_day_of_a_dump_may_be_unknown(provider: str, path: str | None, body: bytes, day: str) -> None:
    def reply(request: httpx.Request) -> httpx.Response:
        assert request.url.path == path
        return httpx.Response(200, content=body)

    client = ProviderClient({}, Answered(httpx.MockTransport(reply)))
    assert str(run(client.fetch_dump_date(PROVIDERS[provider]))) == day
