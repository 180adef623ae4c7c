"""Bad input, missing keys, unknown routes: each the documented error, none counted."""

from __future__ import annotations

import gzip

import httpx
import pytest

from tests.e2e.conftest import calls

PIX = "/api/v1/skills/pix"
JSON = {"Content-Type": "application/json"}
KEYED = [
    ("POST", PIX),
    ("POST", f"{PIX}/decode"),
    ("POST", f"{PIX}/lote"),
    ("POST", "/api/v1/skills/cnpj"),
    ("POST", "/api/v1/skills/cnpj/lote"),
    ("GET", "/api/v1/skills/cnpj/SANDBOX1000170"),
    ("GET", "/api/v1/usage"),
    ("POST", "/api/v1/keys/rotate"),
    ("POST", "/api/v1/keys/revoke"),
]


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].split(";")[0] == "application/problem+json"
    body: dict[str, object] = answer.json()
    assert {"type", "title", "status", "detail", "code", "request_id"} <= body.keys()
    assert (body["status"], body["code"]) == (status, code)
    assert answer.headers["x-request-id"] == body["request_id"] != ""
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "x-request-id" in answer.headers["access-control-expose-headers"].lower()
    assert "Traceback" not in answer.text
    return body


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"", JSON, 400, "malformed_json"),
        (b"{", JSON, 400, "malformed_json"),
        (b"[" * 10_000, JSON, 400, "malformed_json"),
        ('{"chave": "é"}'.encode("latin-1"), JSON, 400, "malformed_json"),
        (gzip.compress(b"{}", mtime=0), JSON, 415, "unsupported_media_type"),
        (b"\x0b\x01\x80{}\x03", {**JSON, "Content-Encoding": "br"}, 415, "unsupported_media_type"),
        (b"[]", JSON, 422, "invalid_fields"),
        (b"{}", {"Content-Type": "text/plain"}, 415, "unsupported_media_type"),
        (b'{"chave": "' + b"x" * 16_384 + b'"}', JSON, 413, "body_too_large"),
        (b"x" * 1_000_000, JSON, 413, "body_too_large"),
    ],
)
@pytest.mark.parametrize("path", [PIX, "/api/v1/skills/cnpj"])
def test_a_bad_body_is_a_clear_problem_and_not_counted(
    api: httpx.Client, path: str, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    before = calls(api)
    problem(api.post(path, content=body, headers=headers), status, code)
    assert calls(api) == before


@pytest.mark.parametrize(("method", "path"), KEYED)
def test_a_route_with_a_key_requires_it(http: httpx.Client, method: str, path: str) -> None:
    problem(http.request(method, path, json={} if method == "POST" else None), 401, "missing_api_key")


@pytest.mark.parametrize(
    "key", ["x", "brsk_KKEKaYx8FiYx8hpF4Pz0PWWnkAA1lR1x2Pva9A", "é".encode().decode("latin-1")]
)
def test_a_wrong_key_is_invalid(http: httpx.Client, key: str) -> None:
    for method, path in KEYED:
        answer = http.request(
            method, path, headers={"X-API-Key": key.encode("latin-1")}, json={} if method == "POST" else None
        )
        problem(answer, 401, "invalid_api_key")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nope"), ("GET", "/api/v1"), ("GET", "/api/v2/skills/pix"), ("GET", PIX), ("DELETE", PIX),
        ("POST", "/api/v1/plans"), ("GET", "/api/v1/skills/cnpj/lote"),
    ],
)  # fmt: skip
def test_no_such_route_or_not_by_this_method(api: httpx.Client, method: str, path: str) -> None:
    problem(api.request(method, path), 404, "not_found")


def test_details_come_in_the_callers_language(api: httpx.Client) -> None:
    pt = problem(api.post(PIX, json={}), 422, "invalid_fields")
    en = problem(api.post(PIX, json={}, headers={"Accept-Language": "en-US,en;q=0.9"}), 422, "invalid_fields")
    assert pt["detail"] != en["detail"]
    assert pt["errors"] != en["errors"]
    assert [e["code"] for e in pt["errors"]] == [e["code"] for e in en["errors"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path",
    [
        PIX,
        f"{PIX}/lote",
        "/api/v1/skills/cnpj/lote",
        "/api/v1/skills/cnpj/SANDBOX1000170",
        "/api/v1/keys",
        "/api/v1/usage",
    ],
)
def test_a_preflight_needs_no_key(http: httpx.Client, path: str) -> None:
    answer = http.options(
        path,
        headers={
            "Origin": "https://loja.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "x-api-key,content-type",
        },
    )
    assert answer.status_code in {200, 204}
    assert answer.headers["access-control-allow-origin"] == "*"
    allowed = answer.headers["access-control-allow-headers"].lower()
    assert {"x-api-key", "content-type", "accept-language", "if-none-match", "idempotency-key"} <= set(
        allowed.replace(" ", "").split(",")
    )
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("body", [{"email": 5}, {"e-mail": "a@b.com"}, {"email": "$(id)@exemplo.com.br"}])
def test_a_bad_sign_up_gives_no_key(http: httpx.Client, body: dict[str, object]) -> None:
    problem(http.post("/api/v1/keys", json=body), 422, "invalid_fields")


@pytest.mark.parametrize(("body", "status"), [(b'{"x": 1}', 422), (b"{", 400), (b"[]", 422)])
def test_a_bad_revocation_revokes_nothing(api: httpx.Client, body: bytes, status: int) -> None:
    assert api.post("/api/v1/keys/revoke", content=body, headers=JSON).status_code == status
    assert api.get("/api/v1/usage").status_code == 200
