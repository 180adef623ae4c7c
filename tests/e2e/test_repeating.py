"""``Idempotency-Key``: the same request again is answered, and counted once."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.e2e.conftest import CHARGE, CNPJ, PIX, Service, calls, counting, failing, problem
from tests.simulator.companies import numbers

REPLAYED = "idempotency-replayed"


def key() -> dict[str, str]:
    """Return the header with a new key."""
    return {"Idempotency-Key": str(uuid.uuid4())}


def test_a_repeated_request_gets_the_same_bytes_and_counts_once(api: httpx.Client) -> None:
    mine, reordered = key(), dict(reversed(CHARGE.items()))
    with counting(api, 1):
        answers = [api.post(PIX, json=charge, headers=mine) for charge in (CHARGE, CHARGE, reordered)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert [answer.headers.get(REPLAYED) for answer in answers] == [None, "true", "true"]
    assert len({answer.headers["x-ratelimit-remaining"] for answer in answers}) == 1


def test_another_request_under_the_same_key_is_refused(api: httpx.Client) -> None:
    mine = key()
    assert api.post(PIX, json=CHARGE, headers=mine).status_code == 200
    with counting(api, 0):
        for path, other in ((PIX, {**CHARGE, "valor": "49.91"}), (CNPJ, {"cnpj": "33000167000101"})):
            problem(api.post(path, json=other, headers=mine), 422, "idempotency_key_reused")
        assert api.post(PIX, json=CHARGE, headers=mine).headers[REPLAYED] == "true"


def test_a_key_belongs_to_the_account(api: httpx.Client, fresh: httpx.Client) -> None:
    mine, body = key(), {**CHARGE, "valor": "1"}
    assert api.post(PIX, json=CHARGE, headers=mine).status_code == 200
    other = fresh.post(PIX, json=body, headers=mine)
    assert (other.status_code, REPLAYED in other.headers, calls(fresh)) == (200, False, 1)
    rotated = {"X-API-Key": fresh.post("/api/v1/keys/rotate").json()["api_key"]}
    assert fresh.post(PIX, json=body, headers={**mine, **rotated}).headers[REPLAYED] == "true"
    assert fresh.get("/api/v1/usage", headers=rotated).json()["chamadas"] == 1


def test_many_at_once_are_all_answered_and_counted_once(api: httpx.Client) -> None:
    mine = key()
    with counting(api, 1), ThreadPoolExecutor(6) as pool:  # MiniStack unpacks a function for each
        answers = list(pool.map(lambda _: api.post(PIX, json=CHARGE, headers=mine), range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1


def test_a_refused_or_released_request_leaves_no_record(fresh: httpx.Client, simulated: Service) -> None:
    mine = key()
    problem(fresh.post(PIX, json={}, headers=mine), 422, "invalid_fields")
    with failing(simulated):
        down = fresh.post(CNPJ, json={"cnpj": numbers("11666777", 1)[0]}, headers=mine)
    problem(down, 503, "sources_unavailable")
    with failing(simulated, "cnpja"):
        absent = fresh.post(CNPJ, json={"cnpj": "99000000000310"}, headers=mine)
    assert absent.json()["confirmado"] is False
    assert fresh.post(CNPJ, json={"cnpj": "SANDBOX1000170"}, headers=mine).status_code == 200
    assert calls(fresh) == 0
    first = fresh.post(PIX, json=CHARGE, headers=mine)
    assert (first.status_code, REPLAYED in first.headers, calls(fresh)) == (200, False, 1)


def test_a_repeated_look_up_counts_once(api: httpx.Client, simulated: Service) -> None:
    for cnpj, status in (("33000167000101", 200), ("99000000000159", 404)):
        mine = key()
        with counting(api, 1):
            first, again = (api.post(CNPJ, json={"cnpj": cnpj}, headers=mine) for _ in range(2))
        assert (first.status_code, again.status_code) == (status, status)
        assert (first.headers.get(REPLAYED), again.headers.get(REPLAYED)) == (None, "true")
        assert "x-ratelimit-remaining" in again.headers


def test_a_repeated_batch_costs_its_fullest_answer(fresh: httpx.Client, simulated: Service) -> None:
    stored, unseen = numbers("11777888", 2)
    assert fresh.post(CNPJ, json={"cnpj": stored}).status_code == 200
    mine, body = key(), {"cnpjs": [stored, unseen]}
    with failing(simulated):
        first = fresh.post(f"{CNPJ}/lote", json=body, headers=mine)
    assert [entry["status"] for entry in first.json()["resultados"]] == [200, 503]
    assert (first.json()["contadas"], calls(fresh)) == (1, 2)
    for again in (fresh.post(f"{CNPJ}/lote", json=body, headers=mine) for _ in range(2)):
        assert [entry["status"] for entry in again.json()["resultados"]] == [200, 200]
        assert (again.json()["contadas"], again.headers[REPLAYED]) == (2, "true")
    assert calls(fresh) == 3


@pytest.mark.parametrize("value", ["a b", "é".encode()])
def test_an_invalid_key_is_listed_with_the_other_fields(api: httpx.Client, value: Any) -> None:
    with counting(api, 0):
        answer = api.post(PIX, json={**CHARGE, "x": 1}, headers={"Idempotency-Key": value})
    errors = problem(answer, 422, "invalid_fields")["errors"]
    assert [error["campo"] for error in errors] == ["Idempotency-Key", "x"]
