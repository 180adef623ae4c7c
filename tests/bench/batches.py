"""What a batch takes and how large its answer is: ``python -m tests.bench.batches``.

A hundred companies in one request, out of stored answers and out of our own copy, beside ten single stored
answers one after the other, over ``make run``; and the bytes of a hundred companies and of a hundred codes,
which are why batches are no tools. docs/figures.md and docs/agents.md keep the figures.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import httpx

from tests.register.copy_file import write_copy
from tests.services.gateway import gateway
from tests.simulator import Simulator
from tests.simulator.companies import company, numbers

ROUNDS = 40
LOOK_UP, PIX = "/api/v1/skills/cnpj", "/api/v1/skills/pix"
DEMO = "brsk_demo00000000000000000000000000001gbZMd"
CHARGE = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}
STORED, COPIED = numbers("11222333", 100), numbers("11444555", 100)


def run() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        write_copy(Path(folder) / "receita", map(company, COPIED), date(2026, 10, 10))
        settings = {
            "STORE": f"sqlite:///{folder}/brskills.db",
            "REGISTRY_PROVIDERS": "receita,opencnpj",
            "REGISTRY_COPY": f"{folder}/receita",
            "DEMO_MONTHLY_LIMIT": "1000000",
            "WORKERS": "1",
        }
        with (
            gateway(**settings, **urls) as base,
            httpx.Client(base_url=base, timeout=60, headers={"X-API-Key": DEMO}) as http,
        ):
            _measure(http)


def _measure(http: httpx.Client) -> None:
    assert _batch(http, STORED)["contadas"] == 100  # from here on they are stored
    works: dict[str, Callable[[], object]] = {
        "ten single stored answers": lambda: [http.get(f"{LOOK_UP}/{cnpj}") for cnpj in STORED[:10]],
        "a hundred stored": lambda: _batch(http, STORED),
        "a hundred in our own copy": lambda: _batch(http, COPIED),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):  # in turn, so that what else the machine does falls on all of them
        for name, work in works.items():
            started = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - started)
    ten = statistics.median(next(iter(times.values())))
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name}: {median * 1000:.1f} ms, {median / ten:.2f} times as long")
    items = [{**CHARGE, "txid": f"PEDIDO{n}"} for n in range(100)]
    for name, answer in (
        ("companies", http.post(f"{LOOK_UP}/lote", json={"cnpjs": STORED})),
        ("codes", http.post(f"{PIX}/lote", json={"itens": items})),
    ):
        assert answer.json()["contadas"] == 100
        print(f"a hundred {name}: {len(answer.content)} bytes, some {len(answer.content) // 4} tokens")


def _batch(http: httpx.Client, cnpjs: list[str]) -> dict[str, int]:
    found: dict[str, int] = http.post(f"{LOOK_UP}/lote", json={"cnpjs": cnpjs}).raise_for_status().json()
    return found


if __name__ == "__main__":
    run()
