"""Paid addresses behind a running gateway: one limit for all its processes, and tokens that nobody sees."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from pathlib import Path

import httpx

from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.number import parse_cnpj
from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY
from tests.services.gateway import gateway
from tests.simulator import Simulator
from tests.simulator.paid import TOKENS

LIMIT, SHARE, CALLERS, THREADS = 11, 2, 40, 8
SINCE_THE_DUMP = (date.today() - date(2026, 9, 15)).days


def companies() -> list[str]:
    """Numbers of companies, none twice."""
    found = []
    for root in range(10_000_000, 10_000_000 + CALLERS):
        for digits in range(100):
            with suppress(InvalidCnpj):
                found.append(parse_cnpj(f"{root}0001{digits:02}"))
    return found


def test_as_many_paid_calls_are_made_as_a_day_allows_and_no_token_is_printed(tmp_path: Path) -> None:
    output, file = tmp_path / "output.txt", tmp_path / "token"
    file.write_text(f"{TOKENS['cnpja']}\n")
    settings = {
        "STORE": f"sqlite:///{tmp_path}/brskills.db",
        "REGISTRY_PROVIDERS": "opencnpj",
        "CNPJA_TOKEN_FILE": str(file),
        "PAID_LOOKUPS_PER_DAY": str(LIMIT),
        "PAID_LOOKUP_PLANS": "free",
        "SIGNUPS_PER_DAY": "10",
        "LOG_FORMAT": "json",
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        with gateway(output, **settings, **urls) as base, httpx.Client(base_url=base, timeout=60) as http:
            keys = [{"X-API-Key": http.post("/api/v1/keys").json()["api_key"]} for _ in range(10)]
            newest = {"idade_dados_maxima": SINCE_THE_DUMP - 3}

            def ask(cnpj: str, key: dict[str, str]) -> tuple[int, str]:
                answer = http.get(f"/api/v1/skills/cnpj/{cnpj}", params=newest, headers=key)
                return answer.status_code, answer.json().get("fonte") or answer.json()["code"]

            with ThreadPoolExecutor(THREADS) as pool:
                answers = Counter(pool.map(ask, companies(), keys * CALLERS))
            status = http.get("/api/v1/status").text
            calls = [http.get("/api/v1/usage", headers=key).json()["chamadas"] for key in keys]
            without = http.get(f"/api/v1/skills/cnpj/{companies()[0]}", headers=keys[0])
    assert answers == {(200, "cnpja"): LIMIT, (503, "sources_unavailable"): CALLERS - LIMIT}
    assert providers.asked("cnpja:paid") == LIMIT
    assert sum(calls) == LIMIT
    assert max(calls) <= SHARE
    assert without.status_code == 200
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("brskills.db*"))
    assert TOKENS["cnpja"] not in output.read_text() + status
    assert TOKENS["cnpja"].encode() not in kept


def test_a_wrong_token_is_told_by_no_answer(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {"REGISTRY_PROVIDERS": "opencnpj", "CNPJA_TOKEN": "of-somebody-else", "WORKERS": "1"}
        settings["PAID_LOOKUP_PLANS"] = "free"
        with gateway(output, **settings, **urls) as base, httpx.Client(base_url=base, timeout=60) as http:
            key = {"X-API-Key": http.post("/api/v1/keys").json()["api_key"]}
            body = {"idade_dados_maxima": SINCE_THE_DUMP - 3}
            answers = [
                http.post("/api/v1/skills/cnpj", json={"cnpj": cnpj, **body}, headers=key)
                for cnpj in companies()[:3]
            ]
    assert [answer.json()["code"] for answer in answers] == ["sources_unavailable"] * 3
    assert providers.asked("cnpja:paid") == 1
    assert "of-somebody-else" not in output.read_text() + "".join(answer.text for answer in answers)


def test_keys_that_do_not_pay_spend_no_paid_call(tmp_path: Path) -> None:
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {"REGISTRY_PROVIDERS": "opencnpj", "CNPJA_TOKEN": TOKENS["cnpja"], "WORKERS": "1"}
        with (
            gateway(tmp_path / "output.txt", **settings, **urls) as base,
            httpx.Client(base_url=base) as http,
        ):
            for key in (PUBLISHED_DEMO_KEY, http.post("/api/v1/keys").json()["api_key"]):
                for cnpj in companies()[:10]:
                    body = {"cnpj": cnpj, "idade_dados_maxima": 0}
                    answer = http.post("/api/v1/skills/cnpj", json=body, headers={"X-API-Key": key})
                    assert answer.json()["code"] == "sources_unavailable"
    assert providers.asked("cnpja:paid") == 0


def test_a_paid_answer_that_does_not_meet_the_demand_counts_once(tmp_path: Path) -> None:
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {"REGISTRY_PROVIDERS": "opencnpj", "CNPJWS_TOKEN": TOKENS["cnpjws"], "WORKERS": "1"}
        settings["PAID_LOOKUP_PLANS"] = "free"
        with (
            gateway(tmp_path / "output.txt", **settings, **urls) as base,
            httpx.Client(base_url=base) as http,
        ):
            key = {"X-API-Key": http.post("/api/v1/keys").json()["api_key"]}
            body = {"cnpj": companies()[0], "idade_dados_maxima": 0}
            repeated = {**key, "Idempotency-Key": "a"}
            first, again = (http.post("/api/v1/skills/cnpj", json=body, headers=repeated) for _ in range(2))
            others = [http.post("/api/v1/skills/cnpj", json=body, headers=key) for _ in range(3)]
            calls = http.get("/api/v1/usage", headers=key).json()["chamadas"]
    assert {answer.json()["code"] for answer in (first, again, *others)} == {"sources_unavailable"}
    assert [one.headers.get("x-ratelimit-remaining") for one in (first, again)] == ["99", "99"]
    assert again.headers["idempotency-replayed"] == "true"
    assert not any("x-ratelimit-remaining" in one.headers for one in others)
    assert (providers.asked("cnpjws:paid"), calls) == (1, 1)
