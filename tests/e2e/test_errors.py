"""Bad input, missing keys, unknown routes: each the documented error, none counted."""

import gzip

import httpx
import pytest

from tests.e2e.conftest import CNPJ, PIX, counting, problem

JSON = {"Content-Type": "application/json"}
KEYED = [
    ("POST", PIX), ("POST", f"{PIX}/decode"), ("POST", f"{PIX}/lote"), ("POST", CNPJ),
    ("POST", f"{CNPJ}/lote"),
    ("GET", f"{CNPJ}/SANDBOX1000170"), ("GET", "/api/v1/usage"), ("POST", "/api/v1/keys/rotate"),
    ("POST", "/api/v1/keys/revoke"),
]  # fmt: skip
BODIES = [
    (b"", JSON, 400, "malformed_json"),
    (b"[" * 10_000, JSON, 400, "malformed_json"),
    ('{"chave": "é"}'.encode("latin-1"), JSON, 400, "malformed_json"),
    (gzip.compress(b"{}", mtime=0), JSON, 415, "unsupported_media_type"),
    (b"\x0b\x01\x80{}\x03", {**JSON, "Content-Encoding": "br"}, 415, "unsupported_media_type"),
    (b"[]", JSON, 422, "invalid_fields"),
    (b"{}", {"Content-Type": "text/plain"}, 415, "unsupported_media_type"),
    (b'{"chave": "' + b"x" * 16_384 + b'"}', JSON, 413, "body_too_large"),
    (b"x" * 1_000_000, JSON, 413, "body_too_large"),
]


@pytest.mark.parametrize("path", [PIX, CNPJ])
def test_a_bad_body_is_a_clear_problem_and_not_counted(api: httpx.Client, path: str) -> None:
    with counting(api, 0):
        for body, headers, status, code in BODIES:
            problem(api.post(path, content=body, headers=headers), status, code)


def test_a_route_with_a_key_requires_a_valid_one(http: httpx.Client) -> None:
    for method, path in KEYED:
        body = {} if method == "POST" else None
        problem(http.request(method, path, json=body), 401, "missing_api_key")
        for key in (b"x", b"brsk_KKEKaYx8FiYx8hpF4Pz0PWWnkAA1lR1x2Pva9A", "é".encode()):
            answer = http.request(method, path, headers={"X-API-Key": key}, json=body)
            problem(answer, 401, "invalid_api_key")


def test_no_such_route_or_not_by_this_method(api: httpx.Client) -> None:
    for method, path in (
        ("GET", "/nope"), ("GET", "/api/v1"), ("GET", "/api/v2/skills/pix"), ("GET", PIX), ("DELETE", PIX),
        ("POST", "/api/v1/plans"), ("GET", f"{CNPJ}/lote"),
    ):  # fmt: skip
        problem(api.request(method, path), 404, "not_found")


def test_details_come_in_the_callers_language(api: httpx.Client) -> None:
    pt = problem(api.post(PIX, json={}), 422, "invalid_fields")
    en = problem(api.post(PIX, json={}, headers={"Accept-Language": "en-US,en;q=0.9"}), 422, "invalid_fields")
    assert pt["detail"] != en["detail"]
    assert pt["errors"] != en["errors"]
    assert [error["code"] for error in pt["errors"]] == [error["code"] for error in en["errors"]]


@pytest.mark.parametrize("path", [PIX, f"{CNPJ}/lote", f"{CNPJ}/SANDBOX1000170", "/api/v1/keys", "/mcp"])
def test_a_preflight_needs_no_key(http: httpx.Client, path: str) -> None:
    headers = {
        "Origin": "https://loja.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-api-key,content-type",
    }
    answer = http.options(path, headers=headers)
    assert answer.status_code in {200, 204}
    assert answer.headers["access-control-allow-origin"] == "*"
    allowed = {name.strip() for name in answer.headers["access-control-allow-headers"].lower().split(",")}
    assert {"x-api-key", "content-type", "accept-language", "if-none-match", "idempotency-key"} <= allowed
    assert {"mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"} <= allowed
    assert "access-control-allow-credentials" not in answer.headers


def test_a_bad_sign_up_gives_no_key_and_a_bad_revocation_revokes_nothing(
    http: httpx.Client, api: httpx.Client
) -> None:
    for email in ({"email": 5}, {"e-mail": "a@b.com"}, {"email": "$(id)@exemplo.com.br"}):
        problem(http.post("/api/v1/keys", json=email), 422, "invalid_fields")
    for body, status in ((b'{"x": 1}', 422), (b"{", 400), (b"[]", 422)):
        assert api.post("/api/v1/keys/revoke", content=body, headers=JSON).status_code == status
    assert api.get("/api/v1/usage").status_code == 200
