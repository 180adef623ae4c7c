"""Watched companies and the feed of changes, over the gateway's HTTP and MCP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from brskills import Client, WatchLimit

from .service import Served, calls_of, problem, serve_here

WATCHES, CHANGES = "/api/v1/watches", "/api/v1/changes"
SIMULATE = f"{WATCHES}/simulate"
ONE, TWO = "SANDBOX1000170", "SANDBOX2000114"
REAL = ["33000167000101", "11222333000181", "11222333000262", "06990590000123"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("store") / "brskills.db"
    with serve_here(STORE=f"sqlite:///{file}") as started:
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with service.caller() as client:
        yield client


def add(http: httpx.Client, **content: Any) -> httpx.Response:
    return http.post(WATCHES, json=content)


def tool(http: httpx.Client, name: str, **arguments: Any) -> Any:
    call = {"name": name, "arguments": arguments}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    return http.post("/mcp", json=message, headers=headers).json()["result"]["structuredContent"]


def test_a_company_is_watched_once_and_keeps_its_day_and_its_reference(http: httpx.Client) -> None:
    first = add(http, cnpj=33000167000101, referencia="a")
    assert first.status_code == 201
    assert first.headers["cache-control"] == "no-store"
    watch = first.json()
    assert watch == {"cnpj": REAL[0], "referencia": "a", "desde": watch["desde"]}
    assert watch["desde"].endswith("Z")
    again = add(http, cnpj="33.000.167/0001-01")
    assert (again.status_code, again.json()) == (200, watch)
    replaced = add(http, cnpj=REAL[0], referencia="b")
    assert (replaced.status_code, replaced.json()) == (200, {**watch, "referencia": "b"})
    deleted = {**watch, "referencia": None}
    assert (add(http, cnpj=REAL[0], referencia="").json(), http.get(f"{WATCHES}/{REAL[0]}").json()) == (
        deleted,
        deleted,
    )
    replaced = add(http, cnpj=REAL[0], referencia="b")
    for written in (REAL[0], "33.000.167/0001-01", "33.000.167%2F0001-01"):
        assert http.get(f"{WATCHES}/{written}").json() == replaced.json()
    assert http.get(WATCHES).json() == {"watches": [replaced.json()], "cursor": None}
    assert calls_of(http) == 0


def test_an_end_is_without_a_body_and_also_of_what_was_not_watched(http: httpx.Client) -> None:
    add(http, cnpj=REAL[0])
    for _ in range(2):
        ended = http.delete(f"{WATCHES}/33.000.167/0001-01")
        assert (ended.status_code, ended.content) == (204, b"")
        assert "content-type" not in ended.headers
    assert problem(http.get(f"{WATCHES}/{REAL[0]}")) == (404, "not_found", [])
    assert http.get(WATCHES).json() == {"watches": [], "cursor": None}


def test_many_are_answered_each_as_alone(http: httpx.Client) -> None:
    items = [ONE, {"cnpj": TWO, "referencia": "2"}, ONE, "1", {"referencia": ""}, {"cnpj": ONE, "x": 1}, None]
    answer = add(http, cnpjs=items)
    assert answer.status_code == 200
    entries = answer.json()["resultados"]
    assert [entry["indice"] for entry in entries] == list(range(7))
    assert [entry["status"] for entry in entries] == [201, 201, 200, 422, 422, 422, 422]
    assert entries[1]["resposta"]["referencia"] == "2"
    assert [[(e["campo"], e["code"]) for e in entry["problema"]["errors"]] for entry in entries[3:]] == [
        [("cnpj", "invalid_cnpj")],
        [("cnpj", "required")],
        [("x", "unknown_field")],
        [("cnpj", "required")],
    ]
    assert {entry["problema"]["status"] for entry in entries[3:]} == {422}


def test_the_plans_number_is_the_limit_and_the_first_ones_fit(http: httpx.Client) -> None:
    entries = add(http, cnpjs=[*REAL, ONE, TWO]).json()["resultados"]
    assert [entry["status"] for entry in entries] == [201] * 5 + [409]
    assert entries[5]["problema"]["code"] == "watch_limit"
    refused = add(http, cnpj=TWO)
    assert problem(refused) == (409, "watch_limit", [])
    assert "5" in refused.json()["detail"]
    assert add(http, cnpj=REAL[0], referencia="still").status_code == 200
    http.delete(f"{WATCHES}/{ONE}")
    assert add(http, cnpj=TWO).status_code == 201


@pytest.mark.parametrize(
    ("content", "issues"),
    [
        ({}, [("cnpj", "required")]),
        ({"cnpj": "SANDBOX9999999"}, [("cnpj", "invalid_check_digits")]),
        ({"cnpj": "SANDBOX9000136"}, [("cnpj", "invalid_cnpj")]),
        ({"cnpj": "1", "referencia": "x" * 101}, [("referencia", "too_long"), ("cnpj", "invalid_cnpj")]),
        ({"cnpj": ONE, "referencia": "a\0"}, [("referencia", "invalid_form")]),
        ({"cnpj": ONE, "cnpjs": [ONE]}, [("cnpjs", "conflicting_fields")]),
        ({"cnpjs": []}, [("cnpjs", "invalid_length")]),
        ({"cnpjs": [ONE] * 1_001}, [("cnpjs", "invalid_length")]),
        ({"cnpjs": ONE, "y": 1}, [("y", "unknown_field"), ("cnpjs", "invalid_type")]),
    ],
)
def test_every_faulty_field_is_named(http: httpx.Client, content: Any, issues: Any) -> None:
    assert problem(http.post(WATCHES, json=content)) == (422, "invalid_fields", issues)
    assert http.get(WATCHES).json()["watches"] == []


def test_a_body_may_have_256_kib(http: httpx.Client) -> None:
    slim = {"cnpjs": [{"cnpj": ONE, "referencia": "a" * 100}] * 1_000}
    answer = http.post(WATCHES, json=slim)
    assert [entry["status"] for entry in answer.json()["resultados"]] == [201] + [200] * 999
    for size in (262_144, 600_000):
        refused = http.post(WATCHES, content=b'{"cnpjs": ["' + b" " * size)
        assert problem(refused)[:2] == (413, "body_too_large")
        assert "256 KiB" in refused.json()["detail"]


def test_a_thousand_items_of_unknown_fields_are_answered_with_the_first_ones(http: httpx.Client) -> None:
    answer = add(http, cnpjs=[{f"{n:x}": 0 for n in range(20)}] * 1_000)
    problems = [entry["problema"] for entry in answer.json()["resultados"]]
    assert {(len(each["errors"]), each["errors_total"]) for each in problems} == {(10, 21)}
    assert len(problems) == 1_000


def test_lists_are_paged_by_cursors_of_the_account_and_the_list(service: Served, http: httpx.Client) -> None:
    add(http, cnpjs=[*REAL, ONE])
    pages: list[list[str]] = []
    cursor = None
    while not pages or cursor:
        page = http.get(WATCHES, params={"limite": 2} | ({"cursor": cursor} if cursor else {})).json()
        pages.append([watch["cnpj"] for watch in page["watches"]])
        cursor = page["cursor"] or None
    assert pages == [sorted([*REAL, ONE])[:2], sorted([*REAL, ONE])[2:4], sorted([*REAL, ONE])[4:]]
    cursor = http.get(WATCHES, params={"limite": 2}).json()["cursor"]
    wrong = (422, "invalid_fields", [("cursor", "invalid_cursor")])
    for path, sent in ((CHANGES, cursor), (WATCHES, "x"), (WATCHES, f"{cursor}="), (WATCHES, "ü" * 9)):
        assert problem(http.get(path, params={"cursor": sent})) == wrong
    with service.caller() as other:
        assert problem(other.get(WATCHES, params={"cursor": cursor})) == wrong
    limits = [problem(http.get(path, params={"limite": n})) for path in (WATCHES, CHANGES) for n in (0, 101)]
    assert limits == [(422, "invalid_fields", [("limite", "out_of_range")])] * 4


def test_the_feed_goes_on_where_it_was_read(http: httpx.Client) -> None:
    add(http, cnpj=ONE, referencia="fornecedor")
    empty = http.get(CHANGES).json()
    assert empty["mudancas"] == []
    for _ in range(3):
        simulated = http.post(SIMULATE)
        assert (simulated.status_code, simulated.json()) == (202, {"cnpj": ONE})
    first = http.get(CHANGES, params={"cursor": empty["cursor"], "limite": 2}).json()
    rest = http.get(CHANGES, params={"cursor": first["cursor"]}).json()
    assert [len(page["mudancas"]) for page in (first, rest)] == [2, 1]
    listed = [*first["mudancas"], *rest["mudancas"]]
    assert listed == http.get(CHANGES).json()["mudancas"]
    assert len({change["id"] for change in listed}) == 3
    assert {(change["cnpj"], change["referencia"]) for change in listed} == {(ONE, "fornecedor")}
    assert listed[0]["mudancas"][0].keys() == {"data_base", "campo", "de", "para"}
    last = http.get(CHANGES, params={"cursor": rest["cursor"]}).json()
    assert last == {"mudancas": [], "cursor": rest["cursor"]}
    http.delete(f"{WATCHES}/{ONE}")
    assert http.get(CHANGES).json()["mudancas"] == listed
    assert calls_of(http) == 0


def test_a_change_is_simulated_for_an_account_that_watches_the_sandbox(http: httpx.Client) -> None:
    assert problem(http.post(SIMULATE)) == (404, "not_found", [])
    assert problem(http.post(SIMULATE, json={"x": 1})) == (422, "invalid_fields", [("x", "unknown_field")])


def test_numbers_in_the_path_are_checked(http: httpx.Client) -> None:
    for answer in (http.get(f"{WATCHES}/1"), http.delete(f"{WATCHES}/1")):
        assert problem(answer) == (422, "invalid_fields", [("cnpj", "invalid_cnpj")])
    assert problem(http.delete(f"{WATCHES}/{ONE}?x=1")) == (422, "invalid_fields", [("x", "unknown_field")])


def test_accounts_see_their_own_alone(service: Served, http: httpx.Client) -> None:
    add(http, cnpj=ONE)
    http.post(SIMULATE)
    with service.caller() as other:
        assert other.get(WATCHES).json()["watches"] == other.get(CHANGES).json()["mudancas"] == []


def test_agents_watch_list_read_and_end(http: httpx.Client) -> None:
    watched = tool(http, "watch_companies", cnpj=ONE, referencia="a")
    assert watched == http.get(f"{WATCHES}/{ONE}").json()
    results = tool(http, "watch_companies", cnpjs=[ONE, TWO])["resultados"]
    assert [entry["status"] for entry in results] == [200, 201]
    assert tool(http, "list_watches") == http.get(WATCHES).json()
    http.post(SIMULATE)
    assert tool(http, "list_changes") == http.get(CHANGES).json()
    assert tool(http, "unwatch_company", cnpj=ONE) == {}
    assert [watch["cnpj"] for watch in tool(http, "list_watches")["watches"]] == [TWO]


def test_plans_say_how_many(http: httpx.Client) -> None:
    plans = {plan["id"]: plan for plan in http.get("/api/v1/plans").json()["planos"]}
    assert {name: plans[name]["empresas_vigiadas"] for name in plans} == {
        "free": 5, "pro": 1_000, "enterprise": None, "demo": 0,
    }  # fmt: skip


def test_the_python_client_does_the_same(service: Served, http: httpx.Client) -> None:
    with Client(http.headers["x-api-key"], service.base) as client:
        assert client.watch(ONE, "a").referencia == "a"
        outcomes = client.watch_all([ONE, {"cnpj": TWO, "referencia": "b"}, *REAL])
        assert [(outcome.nova, outcome.watch is None) for outcome in outcomes] == [
            (False, False), *[(True, False)] * 4, (False, True),
        ]  # fmt: skip
        assert isinstance(outcomes[-1].problema, WatchLimit)
        assert [watch.cnpj for watch in client.watches()] == sorted([ONE, TWO, *REAL[:3]])
        start = client.changes().cursor
        http.post(SIMULATE)
        pages = list(client.changes_since(start))
        assert [[change.cnpj for change in page.mudancas] for page in pages] == [[ONE], []]
        client.unwatch("33.000.167/0001-01")
        assert REAL[0] not in {watch.cnpj for watch in client.watches()}
