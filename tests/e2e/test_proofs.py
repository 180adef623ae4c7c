"""Signed answers: Accept: application/jose."""

import hashlib
from typing import Any

import httpx
import pytest

from brskills import Proof, verify_proof
from tests.e2e.conftest import counting, problem

CNPJ, CHECK, KEYS = "/api/v1/skills/cnpj", "/api/v1/skills/pix/conferir", "/.well-known/jwks.json"
SANDBOX, SHOP = "SANDBOX1000170", "23456780000184"
JOSE = {"Accept": "application/jose"}
REQUESTS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("GET", f"{CNPJ}/{SANDBOX}?idade_maxima=60", None),
    ("POST", CNPJ, {"cnpj": SANDBOX}),
    ("POST", f"{CNPJ}/lote", {"cnpjs": [SANDBOX, "x"]}),
    ("POST", CHECK, {"chave": SANDBOX}),
    ("POST", CHECK, {"url": "sandbox.brskills.example/pix/v2/valida", "seguir": True}),
]


def verified(api: httpx.Client, answer: httpx.Response) -> Proof:
    assert answer.raise_for_status().headers["content-type"] == "application/jose"
    return verify_proof(answer.text, api.get(KEYS).raise_for_status().json())


@pytest.mark.parametrize(("method", "path", "content"), REQUESTS)
def test_every_answer_about_companies_is_also_a_proof(
    api: httpx.Client, method: str, path: str, content: Any
) -> None:
    plain = api.request(method, path, json=content)
    answer = api.request(method, path, json=content, headers=JOSE)
    found = verified(api, answer)
    stable = ("cnpj", "chave", "nome", "contadas", "razao_social")
    assert found.answer.keys() == plain.json().keys()
    assert [found.answer.get(name) for name in stable] == [plain.json().get(name) for name in stable]
    assert (found.method, found.path) == (method, path)
    assert found.body_sha256 == hashlib.sha256(answer.request.content).hexdigest()
    assert found.request_id == answer.headers["x-request-id"]
    metadata = api.get("/.well-known/oauth-authorization-server").json()
    assert found.issuer == metadata["issuer"]
    for each in (plain, answer):
        assert "Accept" in [name.strip() for name in each.headers["vary"].split(",")]
    assert plain.headers["content-type"] == "application/json"


def test_a_proof_counts_as_the_answer_does(api: httpx.Client) -> None:
    with counting(api, 1):
        answer = api.get(f"{CNPJ}/{SHOP}", headers=JOSE)
    found = verified(api, answer)
    assert found.answer["cnpj"] == SHOP
    assert "x-ratelimit-remaining" in answer.headers
    assert found.account == verified(api, api.get(f"{CNPJ}/{SANDBOX}", headers=JOSE)).account != ""


def test_problems_stay_problems(api: httpx.Client) -> None:
    assert problem(api.get(f"{CNPJ}/x", headers=JOSE), 422, "invalid_fields")
    assert problem(api.get(f"{CNPJ}/SANDBOX4000103", headers=JOSE), 404, "company_not_found")


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("application/jose;q=0.5, application/json", "application/json"),
        ("application/jose, application/json;q=0.5", "application/jose"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
    ],
)
def test_the_form_follows_the_weights(api: httpx.Client, accept: str, media_type: str) -> None:
    answer = api.get(f"{CNPJ}/{SANDBOX}", headers={"Accept": accept})
    assert answer.headers["content-type"] == media_type


def test_the_keys_are_open_and_cacheable(api: httpx.Client) -> None:
    answer = httpx.get(f"{str(api.base_url).rstrip('/')}{KEYS}")
    assert answer.headers["cache-control"].startswith("public, max-age=")
    for key in answer.raise_for_status().json()["keys"]:
        assert key.keys() == {"kty", "crv", "x", "y", "alg", "use", "kid"}
    again = api.get(KEYS, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert api.head(KEYS).status_code == 200
