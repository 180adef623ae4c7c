"""Every recorded answer, and what is made of it.

``tests/data/registry/expected`` holds the records that the recorded answers must become; each was
read through against its answer, field by field.
"""

import json
from pathlib import Path

import httpx
import pytest

from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.client import ProviderClient
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
from tests.simulator.transport import Answered

RECORDED = sorted((DATA / "expected").glob("*/*.json"))


def fetch(provider: str, status: int, body: bytes, cnpj: str) -> AttemptResult:
    transport = httpx.MockTransport(lambda request: httpx.Response(status, content=body))
    return run(ProviderClient({}, Answered(transport)).fetch_company(PROVIDERS[provider], cnpj))


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
