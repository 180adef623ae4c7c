"""Keys, usage, plans, status."""

from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.e2e.conftest import CHARGE, CNPJ, DEMO, PIX, calls, new_key, problem


def test_a_key_is_free_instant_and_shown_once(http: httpx.Client) -> None:
    answer = http.post("/api/v1/keys", json={"email": "dev@exemplo.com.br"})
    assert answer.status_code == 201
    issued = answer.json()
    assert issued["api_key"].startswith("brsk_")
    assert (issued["plano"], issued["limite_mensal"]) == ("free", 100)
    usage = http.get("/api/v1/usage", headers={"X-API-Key": issued["api_key"]}).json()
    assert (usage["plano"], usage["chamadas"], usage["limite"], usage["restantes"]) == ("free", 0, 100, 100)
    assert usage["reinicia_em"].startswith(f"{usage['mes'][:3]}")


def test_rotation_and_revocation_hold_at_once(http: httpx.Client) -> None:
    old = {"X-API-Key": new_key(http)}
    assert http.post(PIX, json=CHARGE, headers=old).status_code == 200
    answer = http.post("/api/v1/keys/rotate", json={"sobreposicao_segundos": 3600}, headers=old)
    assert answer.status_code == 201
    new = {"X-API-Key": answer.json()["api_key"]}
    for headers in (old, new):
        usage = http.get("/api/v1/usage", headers=headers)
        assert usage.json()["chamadas"] == 1
    assert http.post("/api/v1/keys/revoke", headers=new).status_code == 204
    for method, path, body in (
        ("GET", "/api/v1/usage", None), ("POST", PIX, CHARGE), ("POST", PIX, {"chave": 1}),
        ("POST", f"{PIX}/decode", {"brcode": "x"}), ("GET", f"{CNPJ}/SANDBOX1000170", None),
        ("GET", f"{CNPJ}/SANDBOX4000103", None), ("POST", "/api/v1/keys/rotate", {}),
        ("POST", "/api/v1/keys/revoke", None),
    ):  # fmt: skip
        problem(http.request(method, path, json=body, headers=new), 401, "invalid_api_key")
    assert http.get("/api/v1/usage", headers=old).status_code == 200
    gone = http.post("/api/v1/keys/rotate", headers=old)
    assert gone.status_code == 201
    assert http.get("/api/v1/usage", headers=old).status_code == 401


def test_a_quota_of_a_hundred_is_a_hundred_even_at_once(fresh: httpx.Client) -> None:
    with ThreadPoolExecutor(6) as pool:  # MiniStack unpacks a function for each
        answers = list(pool.map(lambda _: fresh.post(PIX, json=CHARGE), range(130)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200] * 100 + [429] * 30
    left = sorted(int(a.headers["x-ratelimit-remaining"]) for a in answers if a.status_code == 200)
    assert left == list(range(100))
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["code"] == "quota_exceeded"
    assert refused.headers["x-ratelimit-remaining"] == "0"
    assert int(refused.headers["retry-after"]) >= 1
    assert calls(fresh) == 100
    # Free calls are still answered.
    assert fresh.post(f"{PIX}/decode", json={"brcode": "x"}).status_code == 200
    assert fresh.get(f"{CNPJ}/SANDBOX1000170").status_code == 200


def test_the_demo_key_may_not_be_changed(http: httpx.Client) -> None:
    for path in ("/api/v1/keys/rotate", "/api/v1/keys/revoke"):
        problem(http.post(path, headers=DEMO), 403, "demo_key")
    usage = http.get("/api/v1/usage", headers=DEMO).json()
    assert (usage["plano"], usage["limite"]) == ("demo", 20)


def test_plans_and_status_are_open(http: httpx.Client) -> None:
    plans = http.get("/api/v1/plans").json()["planos"]
    assert [(plan["id"], plan["preco_usd_mes"], plan["limite_mensal"]) for plan in plans] == [
        ("free", 0, 100), ("pro", 49, 10_000), ("enterprise", None, None), ("demo", 0, 20),
    ]  # fmt: skip
    status = http.get("/api/v1/status")
    assert status.status_code == 200
    assert status.json()["status"] in {"operational", "degraded", "down"}
    assert {"componentes", "verificado_em"} <= status.json().keys()
