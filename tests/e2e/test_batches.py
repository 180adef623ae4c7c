"""POST /skills/pix/lote and /skills/cnpj/lote: many at once."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.e2e.conftest import CHARGE, CNPJ, PIX, Service, calls, counting, failing, problem
from tests.simulator.companies import numbers

LIMIT = 256 * 1024
JSON = {"Content-Type": "application/json"}


def entries(answer: httpx.Response) -> Iterator[tuple[int, Any]]:
    """Status and body of each item."""
    assert answer.status_code == 200, answer.text
    for place, entry in enumerate(answer.json()["resultados"]):
        member = "resposta" if entry["status"] == 200 else "problema"
        assert entry.keys() == {"indice", "status", member}
        assert entry["indice"] == place
        yield entry["status"], entry[member]


def alone(answer: httpx.Response, request_id: str) -> tuple[int, Any]:
    """Return the answer of a single route, its problem with this request id."""
    body = answer.json()
    return answer.status_code, body if answer.status_code == 200 else {**body, "request_id": request_id}


def constant(answered: tuple[int, Any]) -> tuple[int, Any]:
    """Return an answer without the members that change with time."""
    status, body = answered
    return status, {name: body[name] for name in body.keys() - {"consultado_em", "idade_segundos"}}


def test_codes_are_answered_in_order_as_alone_and_counted_alike(api: httpx.Client) -> None:
    items: list[Any] = [
        CHARGE, {**CHARGE, "valor": "1.005"}, {**CHARGE, "cidade": "Recife"}, 7, {**CHARGE, "estrito": True},
        {}, None, {**CHARGE, "txid": "A1"},
    ]  # fmt: skip
    with counting(api, 3):
        answer = api.post(f"{PIX}/lote", json={"itens": items})
    found = list(entries(answer))
    assert [status for status, _ in found] == [200, 422, 200, 422, 422, 422, 422, 200]
    assert (answer.json()["contadas"], answer.headers["cache-control"]) == (3, "no-store")
    limit, remaining = (int(answer.headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining"))
    assert limit - remaining == calls(api)
    single = [alone(api.post(PIX, json=item), answer.headers["x-request-id"]) for item in items]
    single[6] = single[3]  # a client sends no body for None; null is as little an object as 7 is
    assert found == single


def test_companies_are_answered_as_alone_and_a_number_counts_once(
    api: httpx.Client, simulated: Service
) -> None:
    items = [
        "33.000.167/0001-01", 33000167000101, "99000000000159", "x", "SANDBOX1000170", "SANDBOX4000103",
        "SANDBOX5000158", "33000167000102", None,
    ]  # fmt: skip
    with counting(api, 2):
        answer = api.post(f"{CNPJ}/lote", json={"cnpjs": items})
    found = list(entries(answer))
    assert [status for status, _ in found] == [200, 200, 404, 422, 200, 404, 503, 422, 422]
    assert answer.json()["contadas"] == 2
    for item, entry in zip(items, found, strict=True):
        single = alone(api.post(CNPJ, json={"cnpj": item}), answer.headers["x-request-id"])
        assert constant(single) == constant(entry)
    assert found[6][1]["retry_after"] >= 1


def test_items_that_are_free_alone_are_free_here(fresh: httpx.Client, simulated: Service) -> None:
    items = ["99000000000230", "SANDBOX2000114", "x", "SANDBOX5000158"]
    with failing(simulated, "cnpja"), counting(fresh, 0):
        answer = fresh.post(f"{CNPJ}/lote", json={"cnpjs": items})
    found = [(status, body.get("confirmado")) for status, body in entries(answer)]
    assert found == [(404, False), (200, None), (422, None), (503, None)]
    assert (answer.json()["contadas"], "x-ratelimit-remaining" in answer.headers) == (0, False)


def test_a_hundred_companies_at_once(fresh: httpx.Client, simulated: Service) -> None:
    wanted = numbers("11555666", 100)
    answer = fresh.post(f"{CNPJ}/lote", json={"cnpjs": wanted})
    assert [body["cnpj"] for _, body in entries(answer)] == wanted
    assert (answer.json()["contadas"], calls(fresh)) == (100, 100)
    assert answer.headers["x-ratelimit-remaining"] == "0"
    problem(fresh.post(CNPJ, json={"cnpj": wanted[0]}), 429, "quota_exceeded")


def test_a_batch_beyond_the_quota_is_refused_whole_or_answered_in_part(fresh: httpx.Client) -> None:
    mine = {"Idempotency-Key": "a"}
    first = fresh.post(f"{PIX}/lote", json={"itens": [CHARGE] * 98}, headers=mine)
    assert first.json()["contadas"] == 98
    items = [CHARGE, {}, CHARGE, CHARGE]
    with counting(fresh, 0):
        refused = fresh.post(f"{PIX}/lote", json={"itens": items})
    assert "parcial" in problem(refused, 429, "quota_exceeded")["detail"]
    assert (refused.headers["x-ratelimit-remaining"], int(refused.headers["retry-after"]) >= 1) == ("2", True)
    with counting(fresh, 2):
        part = fresh.post(f"{PIX}/lote", json={"itens": items, "parcial": True})
    found = list(entries(part))
    assert [status for status, _ in found] == [200, 422, 200, 429]
    assert (found[3][1]["code"], found[3][1]["retry_after"] >= 1) == ("quota_exceeded", True)
    assert (part.json()["contadas"], part.headers["x-ratelimit-remaining"]) == (2, "0")
    # What was counted is answered again, and free items are answered.
    with counting(fresh, 0):
        again = fresh.post(f"{PIX}/lote", json={"itens": [CHARGE] * 98}, headers=mine)
        sandbox = fresh.post(f"{CNPJ}/lote", json={"cnpjs": ["SANDBOX1000170"]})
    assert (again.content == first.content, again.headers["idempotency-replayed"]) == (True, "true")
    assert [status for status, _ in entries(sandbox)] == [200]


@pytest.mark.parametrize(
    ("path", "field", "item"), [(PIX, "itens", CHARGE), (CNPJ, "cnpjs", "SANDBOX1000170")]
)
def test_a_batch_is_one_to_a_hundred_items_of_256_kib(
    api: httpx.Client, path: str, field: str, item: Any
) -> None:
    def send(content: bytes) -> httpx.Response:
        return api.post(f"{path}/lote", content=content, headers=JSON)

    with counting(api, 0):
        for content, code in (
            ({field: []}, "invalid_length"), ({field: [item] * 101}, "invalid_length"), ({}, "required"),
            ({field: item}, "invalid_type"), ({field: [item], "x": 1}, "unknown_field"),
            ({field: [item], "parcial": 1}, "invalid_type"),
        ):  # fmt: skip
            found = problem(api.post(f"{path}/lote", json=content), 422, "invalid_fields")
            assert [error["code"] for error in found["errors"]] == [code]
        fitting = json.dumps({field: [{"txid": "x"}]}).encode().ljust(LIMIT)
        assert [status for status, _ in entries(send(fitting))] == [422]
        for size in (LIMIT + 1, 3 * LIMIT):  # a server may refuse it unread, with the same limit
            assert "256 KiB" in problem(send(fitting.ljust(size)), 413, "body_too_large")["detail"]
        for malformed in (b"{", b'{"%s": ["\\ud800"]}' % field.encode()):
            problem(send(malformed), 400, "malformed_json")


def test_problems_of_items_come_in_the_callers_language(api: httpx.Client) -> None:
    (_, pt), (_, en) = (
        next(entries(api.post(f"{PIX}/lote", json={"itens": [{}]}, headers={"Accept-Language": language})))
        for language in ("pt", "en")
    )
    assert pt["title"] != en["title"]
    assert pt["code"] == en["code"] == "invalid_fields"
