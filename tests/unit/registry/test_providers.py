"""Every recorded answer, and what is made of it.

``tests/data/registry/expected`` holds the records that the recorded answers must become; each was
read through against its answer, field by field.
"""

import json
from pathlib import Path

import httpx
import pytest

from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.fetcher import MAX_BYTES, Fetcher
from brskills_server.registry.providers.results import (
    AttemptResult,
    Failed,
    Found,
    Missing,
    Rejected,
    Skipped,
)
from tests.simulator.clock import run
from tests.simulator.companies import DATA

RECORDED = sorted((DATA / "expected").glob("*/*.json"))


def fetch(
    provider: str, status: int, body: bytes, cnpj: str, headers: dict[str, str] | None = None
) -> AttemptResult:
    def reply(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, content=body, headers=headers)

    fetcher = Fetcher({}, "test", httpx.MockTransport(reply))
    return run(fetcher.fetch_company(PROVIDERS[provider], cnpj))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_recorded_answers(path: Path) -> None:
    provider = path.parent.name
    expected = json.loads(path.read_text(encoding="utf-8"))
    result = fetch(provider, 200, (DATA / provider / path.name).read_bytes(), expected["cnpj"])
    assert isinstance(result, Found)
    assert json.loads(result.record.model_dump_json()) == expected


ERRORS: dict[str, tuple[int, type[AttemptResult]]] = {
    "brasilapi/erro_200_html_do_upstream.json": (200, Rejected),
    "brasilapi/erro_400.json": (400, Skipped),
    "brasilapi/erro_404.json": (404, Missing),
    "brasilapi/erro_500_upstream_429.json": (500, Rejected),
    "brasilapi/erro_504_cloudflare_2026-10-01.json": (504, Rejected),
    "cnpja/openapi_ErrorBadRequestDto.json": (400, Skipped),
    "cnpja/openapi_ErrorNotFoundDto.json": (404, Missing),
    "cnpja/openapi_ErrorServiceUnavailableDto.json": (503, Rejected),
    "cnpja/openapi_ErrorTooManyRequestsDto.json": (429, Failed),
    "cnpjws/erro_429.json": (429, Failed),
    "minhareceita/erro_400.json": (400, Skipped),
    "minhareceita/erro_404.json": (404, Missing),
    "minhareceita/erro_503_2026-10-01.json": (503, Rejected),
    "opencnpj/erro_400.json": (400, Skipped),
    "opencnpj/erro_404.json": (404, Missing),
    "opencnpj/openapi_502_invalidShard.json": (502, Rejected),
    "receitaws/erro_200_invalido.json": (200, Rejected),
}


@pytest.mark.parametrize("name", ERRORS)
def test_recorded_errors(name: str) -> None:
    status, kind = ERRORS[name]
    result = fetch(name.partition("/")[0], status, (DATA / name).read_bytes(), "33000167000101")
    assert type(result) is kind


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (200, "CNPJ rejeitado pela Receita Federal", Missing),
        (404, "CNPJ não encontrado", Missing),
        (404, "not in cache", Rejected),
        (200, "Timeout", Rejected),
    ],
)
def test_receitaws_hides_its_404_in_its_message(status: int, message: str, kind: type[AttemptResult]) -> None:
    body = json.dumps({"status": "ERROR", "message": message}).encode()
    assert type(fetch("receitaws", status, body, "33000167000101")) is kind


@pytest.mark.parametrize(
    ("name", "provider", "path"),
    [
        ("opencnpj/info_2026-10-01.json", "opencnpj", "/info"),
        ("minhareceita/updated.json", "minhareceita", "/updated"),
    ],
)
def test_dumps_tell_their_day(name: str, provider: str, path: str) -> None:
    def reply(request: httpx.Request) -> httpx.Response:
        assert request.url.path == path
        return httpx.Response(200, content=(DATA / name).read_bytes())

    fetcher = Fetcher({}, "test", httpx.MockTransport(reply))
    day = run(fetcher.fetch_dump_date(PROVIDERS[provider]))
    assert str(day) == {"opencnpj": "2026-09-15", "minhareceita": "2026-11-10"}[provider]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'"<html>"', b"{", b'{"last_updated": 5}', b'{"last_updated": "?"}']
)
def test_a_dump_that_does_not_tell_is_no_failure(body: bytes) -> None:
    fetcher = Fetcher({}, "test", httpx.MockTransport(lambda _: httpx.Response(200, content=body)))
    assert run(fetcher.fetch_dump_date(PROVIDERS["opencnpj"])) is None
    assert run(fetcher.fetch_dump_date(PROVIDERS["brasilapi"])) is None


GOOD = (DATA / "opencnpj/petrobras_readme.json").read_bytes()


def test_an_answer_may_have_two_megabytes() -> None:
    padding = b" " * (MAX_BYTES - len(GOOD))
    assert type(fetch("opencnpj", 200, GOOD + padding, "33000167000101")) is Found
    assert type(fetch("opencnpj", 200, GOOD + padding + b" ", "33000167000101")) is Rejected


def test_the_record_must_be_of_the_requested_company() -> None:
    assert type(fetch("opencnpj", 200, GOOD, "00000000E08G12")) is Rejected


def test_the_request_of_a_provider() -> None:
    seen: list[httpx.Request] = []

    def reply(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=GOOD)

    fetcher = Fetcher({"opencnpj": "http://127.0.0.1:9/"}, "brskills/1.0 (+here)", httpx.MockTransport(reply))
    run(fetcher.fetch_company(PROVIDERS["opencnpj"], "33000167000101"))
    assert str(seen[0].url) == "http://127.0.0.1:9/33000167000101"
    assert seen[0].headers["user-agent"] == "brskills/1.0 (+here)"
    assert seen[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("error", [httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError])
def test_a_dropped_connection_gets_one_fresh_try(error: type[httpx.TransportError]) -> None:
    answers = iter([error("gone"), httpx.Response(200, content=GOOD)])

    def reply(request: httpx.Request) -> httpx.Response:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    fetcher = Fetcher({}, "test", httpx.MockTransport(reply))
    assert type(run(fetcher.fetch_company(PROVIDERS["opencnpj"], "33000167000101"))) is Found
