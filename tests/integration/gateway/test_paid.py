"""Paid addresses behind a running gateway: one limit for all its processes, and tokens in no output."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from pathlib import Path

import httpx

from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.registry import parse_cnpj
from tests.simulator.paid import TOKENS

from .service import CNPJ, DEMO, TIMEOUT, calls_of, serve, serve_here

LIMIT, SHARE, CALLERS, THREADS = 11, 2, 30, 16
SINCE_THE_DUMP = (date.today() - date(2026, 9, 15)).days
PAID = {"PAID_LOOKUP_PLANS": "free", "POWERTOOLS_LOG_LEVEL": "INFO"}


def companies() -> list[str]:
    """Numbers of different companies."""
    found = []
    for root in range(10_000_000, 10_000_000 + CALLERS):
        for digits in range(100):
            with suppress(InvalidCnpj):
                found.append(parse_cnpj(f"{root}0001{digits:02}"))
    return found


def test_the_days_paid_calls_are_limited_for_all_workers_and_no_token_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKENS['cnpja']}\n")
    settings = {"CNPJA_TOKEN": f"file:{file}", "PAID_LOOKUPS_PER_DAY": str(LIMIT)}
    with serve(tmp_path, **PAID, **settings) as service:
        keys = [service.new_key() for _ in range(10)]
        with httpx.Client(base_url=service.base, timeout=TIMEOUT) as http:

            def ask(cnpj: str, key: dict[str, str]) -> tuple[int, str]:
                newest = {"idade_dados_maxima": SINCE_THE_DUMP - 3}
                answer = http.get(f"{CNPJ}/{cnpj}", params=newest, headers=key)
                return answer.status_code, answer.json().get("fonte") or answer.json()["code"]

            with ThreadPoolExecutor(THREADS) as pool:
                answers = Counter(pool.map(ask, companies(), keys * CALLERS))
            status = http.get("/api/v1/status").text
            calls = [http.get("/api/v1/usage", headers=key).json()["chamadas"] for key in keys]
            assert http.get(f"{CNPJ}/{companies()[0]}", headers=keys[0]).status_code == 200
        assert answers == {(200, "cnpja"): LIMIT, (503, "sources_unavailable"): CALLERS - LIMIT}
        assert service.providers.asked("cnpja:paid") == LIMIT
        assert sum(calls) == LIMIT
        assert max(calls) <= SHARE
        stored = b"".join(path.read_bytes() for path in tmp_path.glob("brskills.db*"))
        assert TOKENS["cnpja"] not in service.output.read_text() + status
        assert TOKENS["cnpja"].encode() not in stored


def test_a_wrong_token_is_in_no_answer(tmp_path: Path) -> None:
    with serve(tmp_path, CNPJA_TOKEN="of-another-account", WORKERS="1", **PAID) as service:
        with service.caller() as http:
            demand = {"idade_dados_maxima": SINCE_THE_DUMP - 3}
            answers = [http.post(CNPJ, json={"cnpj": cnpj, **demand}) for cnpj in companies()[:3]]
        assert [answer.json()["code"] for answer in answers] == ["sources_unavailable"] * 3
        assert service.providers.asked("cnpja:paid") == 1
        printed = service.output.read_text() + "".join(answer.text for answer in answers)
        assert "of-another-account" not in printed


def test_keys_that_do_not_pay_spend_no_paid_call() -> None:
    with (
        serve_here(CNPJA_TOKEN=TOKENS["cnpja"]) as service,
        httpx.Client(base_url=service.base, timeout=TIMEOUT) as http,
    ):
        for key in (DEMO, service.new_key()):
            for cnpj in companies()[:2]:
                answer = http.post(CNPJ, json={"cnpj": cnpj, "idade_dados_maxima": 0}, headers=key)
                assert answer.json()["code"] == "sources_unavailable"
        assert service.providers.asked("cnpja:paid") == 0


def test_a_paid_answer_that_is_too_old_counts_once() -> None:
    with serve_here(CNPJWS_TOKEN=TOKENS["cnpjws"], **PAID) as service, service.caller() as http:
        body = {"cnpj": companies()[0], "idade_dados_maxima": 0}
        first, again = (http.post(CNPJ, json=body, headers={"Idempotency-Key": "a"}) for _ in range(2))
        others = [http.post(CNPJ, json=body) for _ in range(3)]
        assert {answer.json()["code"] for answer in (first, again, *others)} == {"sources_unavailable"}
        assert [one.headers.get("x-ratelimit-remaining") for one in (first, again)] == ["99", "99"]
        assert again.headers["idempotency-replayed"] == "true"
        assert not any("x-ratelimit-remaining" in one.headers for one in others)
        assert (service.providers.asked("cnpjws:paid"), calls_of(http)) == (1, 1)
