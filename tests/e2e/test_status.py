"""The status: its parts by evidence, its history by calls."""

import re
import time
from datetime import date
from fractions import Fraction

import httpx

STATES = {"operational", "degraded", "down", "unknown"}
INSTANT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
MAX_SECONDS = 180


def test_the_parts_and_the_history(http: httpx.Client) -> None:
    status = http.get("/api/v1/status").raise_for_status().json()
    assert status["status"] in STATES - {"unknown"}
    parts = status["componentes"]
    assert [part["nome"] for part in parts[:3]] == ["armazenamento", "pix", "cnpj"]
    assert [part["status"] for part in parts[:2]] == ["operational"] * 2
    for part in parts:
        assert part["status"] in STATES
        assert part["ultimo_sucesso"] is None or re.fullmatch(INSTANT, part["ultimo_sucesso"])
        assert part["status"] != "operational" or part["ultimo_sucesso"]
    assert re.fullmatch(INSTANT, status["verificado_em"])
    days = status["historico"]
    assert [day["dia"] for day in days] == sorted({day["dia"] for day in days})[-90:]
    for day in days:
        date.fromisoformat(day["dia"])
        assert 0 <= day["falhas"] <= day["chamadas"] > 0
        exact = 1 - Fraction(day["falhas"], day["chamadas"])
        assert 0 <= exact - Fraction(str(day["disponibilidade"])) < Fraction(1, 10_000)
    sla = status["sla"]
    plans = http.get("/api/v1/plans").json()
    assert sla["meta"] == (0.999 if plans["disponibilidade_url"] else None)
    assert re.fullmatch(r"\d{4}-\d\d", sla["mes"])
    assert sla["disponibilidade"] is None or 0 <= sla["disponibilidade"] <= 1


def test_a_call_comes_into_the_history(http: httpx.Client, api: httpx.Client) -> None:
    def counted() -> int:
        return sum(day["chamadas"] for day in http.get("/api/v1/status").json()["historico"])

    before, deadline = counted(), time.monotonic() + MAX_SECONDS
    while counted() <= before:
        assert time.monotonic() < deadline, "it was not counted"
        assert api.post("/api/v1/skills/pix/decode", json={"brcode": "x"}).status_code == 200
        time.sleep(2)
