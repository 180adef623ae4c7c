"""Bad input, missing keys, unknown routes, browsers: each the contract's error, none counted."""

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
        (b"\xff\xfe", JSON, 400, "malformed_json"),
        (b'{"chave": "a", "chave": "b"}', JSON, 400, "malformed_json"),
        (b"[" * 10_000, JSON, 400, "malformed_json"),
        ('{"chave": "é"}'.encode("latin-1"), JSON, 400, "malformed_json"),
        ('{"chave": "a"}'.encode("utf-16"), JSON, 400, "malformed_json"),
        ('{"chave": "a"}'.encode("utf-16-le"), JSON, 400, "malformed_json"),
        (gzip.compress(b"{}", mtime=0), JSON, 415, "unsupported_media_type"),
        (b"\x0b\x01\x80{}\x03", {**JSON, "Content-Encoding": "br"}, 415, "unsupported_media_type"),
        (b"[]", JSON, 422, "invalid_fields"),
        (b'"x"', JSON, 422, "invalid_fields"),
        (b"{}", JSON, 422, "invalid_fields"),
        (b"{}", {"Content-Type": "text/plain"}, 415, "unsupported_media_type"),
        (b"a=b", {"Content-Type": "application/x-www-form-urlencoded"}, 415, "unsupported_media_type"),
        (b'{"chave": "' + b"x" * 16_384 + b'"}', JSON, 413, "body_too_large"),
        (b"x" * 1_000_000, JSON, 413, "body_too_large"),
    ],
)
@pytest.mark.parametrize("path", [PIX, f"{PIX}/decode", f"{PIX}/conferir", "/api/v1/skills/cnpj"])
def test_a_bad_body_is_a_clear_problem_and_not_counted(
    api: httpx.Client, path: str, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    before = calls(api)
    problem(api.post(path, content=body, headers=headers), status, code)
    assert calls(api) == before


@pytest.mark.parametrize(
    ("body", "headers", "status", "words"),
    [
        (b"", {}, 400, ("vazio", "empty")),
        ('{"itens": [{"cidade": "Belém"}]}'.encode("latin-1"), {}, 400, ("byte 27", "byte 27")),
        ('{"itens": []}'.encode("utf-16"), {}, 400, ("UTF-16", "UTF-16")),
        (
            gzip.compress(b'{"itens": []}', mtime=0),
            {"Content-Encoding": "gzip"},
            415,
            ("sem compressão", "uncompressed"),
        ),
    ],
)
def test_what_a_body_is_instead_is_said_everywhere_and_in_both_languages(
    api: httpx.Client, body: bytes, headers: dict[str, str], status: int, words: tuple[str, str]
) -> None:
    before = calls(api)
    for language, word in zip(("pt-BR", "en"), words, strict=True):
        sent = {**JSON, **headers, "Accept-Language": language}
        for path in (PIX, f"{PIX}/lote", "/api/v1/skills/cnpj", "/api/v1/skills/cnpj/lote"):
            answer = api.post(path, content=body, headers=sent)
            assert answer.status_code == status
            assert word in answer.json()["detail"]
        answer = api.post("/mcp", content=body, headers=sent)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (status, -32700)
        assert word in error["message"]
    assert calls(api) == before


def test_a_mark_of_byte_order_is_ignored(api: httpx.Client) -> None:
    answer = api.post(f"{PIX}/decode", content=b'\xef\xbb\xbf{"brcode": "x"}', headers=JSON)
    assert answer.status_code == 200


@pytest.mark.parametrize(("method", "path"), KEYED)
def test_a_route_with_a_key_asks_for_it(http: httpx.Client, method: str, path: str) -> None:
    problem(http.request(method, path, json={} if method == "POST" else None), 401, "missing_api_key")


@pytest.mark.parametrize(
    "key",
    [
        "x",
        "brsk_",
        "brsk_" + "0" * 38,
        "brsk_KKEKaYx8FiYx8hpF4Pz0PWWnkAA1lR1x2Pva9A",
        "é".encode().decode("latin-1"),
    ],
)
def test_a_wrong_key_is_told_from_a_missing_one(http: httpx.Client, key: str) -> None:
    for method, path in KEYED:
        answer = http.request(
            method, path, headers={"X-API-Key": key.encode("latin-1")}, json={} if method == "POST" else None
        )
        problem(answer, 401, "invalid_api_key")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nope"), ("GET", "/api/v1"), ("GET", "/api/v2/skills/pix"), ("GET", PIX), ("DELETE", PIX),
        ("PUT", "/api/v1/keys"), ("POST", "/api/v1/plans"), ("POST", "/api/v1/usage"),
        ("PATCH", "/api/v1/skills/cnpj/x"), ("GET", f"{PIX}/lote"), ("GET", "/api/v1/skills/cnpj/lote"),
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
def test_a_browser_is_let_in_before_it_has_a_key(http: httpx.Client, path: str) -> None:
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


def test_answers_expose_their_headers_to_browsers(api: httpx.Client) -> None:
    exposed = api.get("/api/v1/usage").headers["access-control-expose-headers"].lower()
    for name in (
        "x-request-id",
        "etag",
        "retry-after",
        "ratelimit",
        "ratelimit-policy",
        "x-ratelimit-remaining",
        "idempotency-replayed",
    ):
        assert name in exposed


@pytest.mark.parametrize(
    "body",
    [
        {"email": "x"},
        {"email": 5},
        {"email": "a" * 250 + "@b.com"},
        {"e-mail": "a@b.com"},
        {"email": "a b@c.com"},
        {"email": "$(id)@exemplo.com.br"},
        {"email": "a'b@exemplo.com.br"},
        {"email": "--email@exemplo.com.br"},
    ],
)
def test_a_bad_sign_up_gives_no_key(http: httpx.Client, body: dict[str, object]) -> None:
    problem(http.post("/api/v1/keys", json=body), 422, "invalid_fields")


@pytest.mark.parametrize(("body", "status"), [(b'{"x": 1}', 422), (b"{", 400), (b"[]", 422)])
def test_a_bad_revocation_revokes_nothing(api: httpx.Client, body: bytes, status: int) -> None:
    assert api.post("/api/v1/keys/revoke", content=body, headers=JSON).status_code == status
    assert api.get("/api/v1/usage").status_code == 200


@pytest.mark.parametrize("overlap", [-1, 604_801, "60", 1.5, True])
def test_a_bad_overlap_rotates_nothing(api: httpx.Client, overlap: object) -> None:
    answer = api.post("/api/v1/keys/rotate", json={"sobreposicao_segundos": overlap})
    body = problem(answer, 422, "invalid_fields")
    assert body["errors"][0]["campo"] == "sobreposicao_segundos"  # type: ignore[index]
    assert api.get("/api/v1/usage").status_code == 200
