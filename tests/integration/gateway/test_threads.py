"""One process, many threads, every function: each answer is its caller's own, and the counts are exact."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.gateway import gateway
from tests.simulator import Simulator
from tests.simulator.companies import company

from .service import DEMO

THREADS, ROUNDS = 16, 13
SANDBOX = ("SANDBOX1000170", "SANDBOX2000114", "SANDBOX3000169")


@dataclass
class Caller:
    """One caller with a key of their own; used by one thread at a time."""

    http: httpx.Client
    number: int
    key: str
    counted: int = 0
    ids: list[str] = field(default_factory=list)

    def ask(self, method: str, path: str, status: int = 200, **request: Any) -> httpx.Response:
        headers = {"X-API-Key": self.key, **request.pop("headers", {})}
        answer = self.http.request(method, path, headers=headers, **request)
        assert answer.status_code == status, answer.text
        self.ids.append(answer.headers["x-request-id"])
        if answer.headers["content-type"] == "application/problem+json":
            assert answer.json()["request_id"] == self.ids[-1]
        return answer

    def count(self, answer: httpx.Response) -> None:
        self.counted += 1
        assert answer.headers["x-ratelimit-remaining"] == str(100 - self.counted)

    def charge(self, n: int) -> dict[str, str]:
        return {
            "chave": f"caixa{n}@loja{self.number}.com.br",
            "valor": f"{self.number}.{n:02}",
            "nome_recebedor": f"Loja {self.number}",
            "cidade": "Recife",
            "txid": f"C{self.number}N{n}",
        }


def pix(caller: Caller, n: int) -> None:
    answer = caller.ask("POST", "/api/v1/skills/pix", json=caller.charge(n))
    caller.count(answer)
    assert caller.charge(n).items() <= answer.json().items()
    found = caller.ask("POST", "/api/v1/skills/pix/decode", json={"brcode": answer.json()["brcode"]}).json()
    assert found["valido"]
    assert caller.charge(n).items() <= found["campos"].items()


def refused_pix(caller: Caller, n: int) -> None:
    language = random.choice(("pt", "en"))
    body = {**caller.charge(n), f"campo{caller.number}": n}
    answer = caller.ask("POST", "/api/v1/skills/pix", 422, json=body, headers={"Accept-Language": language})
    assert [fault["campo"] for fault in answer.json()["errors"]] == [f"campo{caller.number}"]
    assert answer.headers["content-language"] == language


def sandbox(caller: Caller, n: int) -> None:
    number = SANDBOX[n % 3]
    answer = caller.ask("GET", f"/api/v1/skills/cnpj/{number}")
    assert answer.json()["cnpj"] == number
    assert "x-ratelimit-remaining" not in answer.headers


def look_up(caller: Caller, n: int) -> None:
    number = f"{caller.number:02}{n:06}0001"
    number += check_digits(number)
    answer = caller.ask("POST", "/api/v1/skills/cnpj", json={"cnpj": number})
    caller.count(answer)
    assert (answer.json()["cnpj"], answer.json()["razao_social"]) == (number, company(number)["razao_social"])


def tool(caller: Caller, n: int) -> None:
    params = {"name": "create_pix_code", "arguments": caller.charge(n)}
    body = {"jsonrpc": "2.0", "id": f"{caller.number}-{n}", "method": "tools/call", "params": params}
    answer = caller.ask("POST", "/mcp", json=body).json()
    caller.counted += 1
    assert answer["id"] == f"{caller.number}-{n}"
    assert caller.charge(n).items() <= answer["result"]["structuredContent"].items()


def usage(caller: Caller, _n: int) -> None:
    assert caller.ask("GET", "/api/v1/usage").json()["chamadas"] == caller.counted


def rotate(caller: Caller, _n: int) -> None:
    old = caller.key
    caller.key = caller.ask("POST", "/api/v1/keys/rotate", 201).json()["api_key"]
    assert caller.http.get("/api/v1/usage", headers={"X-API-Key": old}).status_code == 401


def checkout(caller: Caller, _n: int) -> None:
    assert caller.ask("POST", "/api/v1/billing/checkout", 503).json()["code"] == "billing_unavailable"


def nothing(caller: Caller, n: int) -> None:
    caller.ask("GET", f"/nope/{caller.number}/{n}", 404)
    caller.ask("GET", "/api/v1/usage", 401, headers={"X-API-Key": f"brsk_{caller.number}"})


def documents(caller: Caller, n: int) -> None:
    host = {"Host": f"host{caller.number}.example"}
    server = caller.ask("GET", "/api/v1/openapi.json", headers=host).json()["servers"]
    assert server == [{"url": f"http://{host['Host']}"}]
    assert host["Host"] in caller.ask("GET", "/llms.txt", headers=host).text
    assert ("en" if n % 2 else "pt-BR") in caller.ask("GET", "/en" if n % 2 else "/").text


def status(caller: Caller, _n: int) -> None:
    assert caller.ask("GET", "/api/v1/status").json()["componentes"][0]["status"] == "operational"
    caller.ask("GET", "/api/v1/plans")


KINDS: tuple[Callable[[Caller, int], None], ...] = (
    *(pix, pix, pix, refused_pix, sandbox, look_up, tool, usage),
    *(rotate, checkout, nothing, documents, status),
)


def check_digits(number: str) -> str:
    """The two digits that end a CNPJ."""
    for _ in range(2):
        weights = [2 + n % 8 for n in range(len(number))][::-1]
        rest = sum(int(digit) * weight for digit, weight in zip(number, weights, strict=True)) % 11
        number += str(0 if rest < 2 else 11 - rest)
    return number[-2:]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "output.txt"


@pytest.fixture
def base(output: Path) -> Iterator[str]:
    with Simulator() as providers:
        settings = {
            "MODULE": "tests.services.restless",
            "WORKERS": "1",
            "SIGNUPS_PER_DAY": "1000",
            "REGISTRY_PROVIDERS": "opencnpj",
            "OPENCNPJ_URL": providers.urls["opencnpj"],
            "POWERTOOLS_LOG_LEVEL": "INFO",
        }
        with gateway(output, **settings) as address:
            yield address


@pytest.mark.thorough
def test_no_caller_gets_what_is_anothers(base: str, output: Path) -> None:
    def call(number: int) -> Caller:
        with httpx.Client(base_url=base, timeout=120) as http:
            caller = Caller(http, number, http.post("/api/v1/keys").json()["api_key"])
            order = [KINDS[n % len(KINDS)] for n in range(ROUNDS)]
            random.Random(number).shuffle(order)
            for n, kind in enumerate(order):
                kind(caller, n)
            usage(caller, 0)
            return caller

    with ThreadPoolExecutor(THREADS) as pool:
        callers = list(pool.map(call, range(10, 10 + THREADS)))

    ids = [number for caller in callers for number in caller.ids]
    assert len(ids) == len(set(ids)) > 225
    lines = output.read_text().splitlines()
    records = [json.loads(line) for line in lines if line.startswith("{")]
    logged = Counter(record["request_id"] for record in records if record["message"] == "call")
    assert logged.keys() >= set(ids) - unlogged(lines)
    assert set(logged.values()) == {1}
    assert httpx.get(f"{base}/api/v1/usage", headers=DEMO).json()["chamadas"] == 0


def unlogged(lines: list[str]) -> set[str]:
    """Requests that no function logs: those that the gateway answers itself, and the page's."""
    quiet = (" GET - ", " GET / ", " GET /{page+} ", " GET /api/v1/usage 401 ")
    return {line.split()[-1] for line in lines if any(part in line for part in quiet)}
