"""Watched companies, and the feed of what changed in them."""

from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.e2e.conftest import DEMO, calls, problem

WATCHES, CHANGES, SIMULATE = "/api/v1/watches", "/api/v1/changes", "/api/v1/watches/simulate"
SANDBOX, REAL, FORMATTED = "SANDBOX1000170", "33000167000101", "33.000.167/0001-01"
OTHERS = ["06990590000123", "19131243000197", "00000000000191", "60746948000112", "11222333000181"]


def test_a_company_is_watched_read_and_watched_no_more(fresh: httpx.Client) -> None:
    added = fresh.post(WATCHES, json={"cnpj": FORMATTED, "referencia": "fornecedor 7"})
    assert added.status_code == 201
    watch = added.json()
    assert watch == {"cnpj": REAL, "referencia": "fornecedor 7", "desde": watch["desde"]}
    again = fresh.post(WATCHES, json={"cnpj": REAL})
    assert (again.status_code, again.json()) == (200, watch)
    for written in (REAL, FORMATTED.replace("/", "%2F")):
        assert fresh.get(f"{WATCHES}/{written}").json() == watch
    assert fresh.get(WATCHES).json() == {"watches": [watch], "cursor": None}
    for _ in range(2):
        assert fresh.delete(f"{WATCHES}/{FORMATTED.replace('/', '%2F')}").status_code == 204
    problem(fresh.get(f"{WATCHES}/{REAL}"), 404, "not_found")
    assert calls(fresh) == 0


def test_several_are_added_at_once_and_listed_by_pages(fresh: httpx.Client) -> None:
    answer = fresh.post(WATCHES, json={"cnpjs": [*OTHERS[:4], "1", SANDBOX, REAL]})
    assert answer.status_code == 200
    statuses = [one["status"] for one in answer.json()["resultados"]]
    assert statuses == [201, 201, 201, 201, 422, 201, 409]
    listed, cursor = [], ""
    while True:
        page = fresh.get(WATCHES, params={"limite": 2, **({"cursor": cursor} if cursor else {})}).json()
        listed += [watch["cnpj"] for watch in page["watches"]]
        cursor = page["cursor"]
        if not cursor:
            break
    assert listed == sorted([*OTHERS[:4], SANDBOX])


def test_five_are_five_even_at_once(fresh: httpx.Client) -> None:
    with ThreadPoolExecutor(6) as pool:  # MiniStack unpacks a function for each
        numbers = [*OTHERS, SANDBOX, REAL, "SANDBOX2000114"]
        answers = list(pool.map(lambda number: fresh.post(WATCHES, json={"cnpj": number}), numbers))
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 3
    refused = next(answer for answer in answers if answer.status_code == 409)
    problem(refused, 409, "watch_limit")
    assert len(fresh.get(WATCHES).json()["watches"]) == 5


def test_the_sandbox_changes_on_request_and_the_feed_continues(fresh: httpx.Client) -> None:
    empty = fresh.get(CHANGES).json()
    assert empty["mudancas"] == []
    problem(fresh.post(SIMULATE), 404, "not_found")  # it is not watched
    assert fresh.get(CHANGES, params={"cursor": empty["cursor"]}).json()["mudancas"] == []
    fresh.post(WATCHES, json={"cnpj": SANDBOX, "referencia": "a"})
    for _ in range(3):
        assert fresh.post(SIMULATE).status_code == 202
    first = fresh.get(CHANGES, params={"cursor": empty["cursor"], "limite": 2}).json()
    rest = fresh.get(CHANGES, params={"cursor": first["cursor"]}).json()
    found = first["mudancas"] + rest["mudancas"]
    assert (len(first["mudancas"]), len(found)) == (2, 3)
    assert len({change["id"] for change in found}) == 3
    for change in found:
        assert (change["cnpj"], change["referencia"]) == (SANDBOX, "a")
        assert {"data_base", "campo", "de", "para"} <= change["mudancas"][0].keys()
    assert fresh.get(CHANGES, params={"cursor": rest["cursor"]}).json()["mudancas"] == []
    assert calls(fresh) == 0


def test_the_demo_key_watches_nothing(http: httpx.Client) -> None:
    one = f"{WATCHES}/{SANDBOX}"
    for method, path in (
        ("GET", WATCHES),
        ("GET", one),
        ("DELETE", one),
        ("POST", SIMULATE),
        ("GET", CHANGES),
    ):
        problem(http.request(method, path, headers=DEMO), 403, "demo_key")
    problem(http.post(WATCHES, json={"cnpj": SANDBOX}, headers=DEMO), 403, "demo_key")
    problem(http.get(CHANGES), 401, "missing_api_key")


def test_a_browser_may_end_a_watch(http: httpx.Client) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "DELETE"}
    allowed = http.options(f"{WATCHES}/{REAL}", headers=asked).headers["access-control-allow-methods"]
    assert "DELETE" in allowed
