"""Sign-in behind a stage and at a custom domain, over https: addresses, cookie, origin."""

import json
import logging
from typing import Any

import pytest

from brskills_server.skills.catalogue import SCOPES
from tests.services.sign_in import Fields, challenge_of, parameters_of
from tests.unit.signin.conftest import BASE, HOST

REDIRECT = "https://assistente.example/retorno"
VERIFIER = "v" * 43


@pytest.fixture
def asked(function) -> dict[str, str]:
    body = json.dumps({"redirect_uris": [REDIRECT]})
    client = json.loads(function.call("POST", "/oauth/register", body=body)["body"])
    return {
        "response_type": "code",
        "client_id": client["client_id"],
        "redirect_uri": REDIRECT,
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
    }


@pytest.mark.parametrize("base", [BASE, "https://api.example.com"], ids=["stage", "domain"])
def test_metadata_is_below_the_requested_address(function, base) -> None:
    def read(path: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(function.call("GET", f"/.well-known/{path}", at=base)["body"])
        return found

    for path in ("oauth-authorization-server", "openid-configuration"):
        server = read(path)
        assert server["issuer"] == base
        for name, end in {"authorization": "authorize", "token": "token", "revocation": "revoke"}.items():
            assert server[f"{name}_endpoint"] == f"{base}/oauth/{end}"
        assert server["registration_endpoint"] == f"{base}/oauth/register"
        assert server["code_challenge_methods_supported"] == ["S256"]
    resource = read("oauth-protected-resource")
    assert (resource["resource"], resource["authorization_servers"]) == (f"{base}/mcp", [base])
    assert server["scopes_supported"] == resource["scopes_supported"] == list(SCOPES)
    for path in ("/mcp", "/mcp/oauth"):
        found = read(f"oauth-protected-resource{path}")
        assert found == {**resource, "resource": base + path}
        assert found["resource"] in server["protected_resources"]


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("https://", "oauth-authorization-server"),
        ("https://no host", "openid-configuration"),
        ("https://no host/v1", "oauth-protected-resource/mcp/oauth"),
    ],
)
def test_without_a_host_there_is_no_issuer(function, base: str, path: str) -> None:
    answer = function.call("GET", f"/.well-known/{path}", at=base)
    assert (answer["statusCode"], answer["headers"]["Cache-Control"]) == (400, "no-store")
    assert json.loads(answer["body"])["error"] == "invalid_request"


def test_a_sign_in_over_https(function, asked, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    page = function.call("GET", "/oauth/authorize", query=asked)
    cookie = page["headers"]["Set-Cookie"]
    assert cookie.startswith("__Host-brskills=")
    assert cookie.endswith("; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure")
    form = {**Fields(page["body"]).values, "key": function.accounts.open("free").api_key, "answer": "allow"}
    sent = {"query": asked, "form": form, "Cookie": cookie.split(";")[0]}
    for origin in (BASE, "https://other.example", f"http://{HOST}"):
        assert function.call("POST", "/oauth/authorize", **sent, Origin=origin)["statusCode"] == 403
    answer = function.call("POST", "/oauth/authorize", **sent, Origin=f"https://{HOST}")
    assert answer["statusCode"] == 303
    assert answer["headers"]["Referrer-Policy"] == "no-referrer"
    parameters = parameters_of(answer["headers"]["Location"])
    assert parameters["iss"] == BASE
    tokens = function.call(
        "POST",
        "/oauth/token",
        form={
            "grant_type": "authorization_code",
            "client_id": asked["client_id"],
            "code": parameters["code"],
            "code_verifier": VERIFIER,
            "redirect_uri": REDIRECT,
            "resource": f"{BASE}/mcp",
        },
    )
    assert tokens["statusCode"] == 200
    given = json.loads(tokens["body"])
    for secret in (form["key"], parameters["code"], given["access_token"], given["refresh_token"], VERIFIER):
        assert secret not in caplog.text


def test_plain_http_is_refused_except_on_loopback(function, asked) -> None:
    page = function.call("GET", "/oauth/authorize", query=asked, X_Forwarded_Proto="http")
    assert (page["statusCode"], "<form" in page["body"]) == (400, False)
    shown = Fields(page["body"]).text
    assert "X-Forwarded-Proto: https" in shown
    assert "programa" not in shown
    form = {"grant_type": "refresh_token", "client_id": asked["client_id"], "refresh_token": "a"}
    answer = function.call("POST", "/oauth/token", form=form, X_Forwarded_Proto="http")
    assert json.loads(answer["body"])["error"] == "insecure_transport"


def test_signing_up_on_the_page_has_its_limit(function, asked) -> None:
    page = function.call("GET", "/oauth/authorize", query=asked)
    form = {**Fields(page["body"]).values, "answer": "new_key"}
    headers = {"Cookie": page["headers"]["Set-Cookie"].split(";")[0], "Sec_Fetch_Site": "same-origin"}
    answers = [function.call("POST", "/oauth/authorize", query=asked, form=form, **headers) for _ in range(3)]
    assert [answer["statusCode"] for answer in answers] == [200, 200, 422]
    assert "chaves demais" in answers[-1]["body"]


def test_an_account_at_its_limit_of_grants_gets_none(function, asked, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.accounts.grants.MAX_GRANTS", 1)
    page = function.call("GET", "/oauth/authorize", query=asked)
    form = {**Fields(page["body"]).values, "key": function.accounts.open("free").api_key, "answer": "allow"}
    headers = {"Cookie": page["headers"]["Set-Cookie"].split(";")[0], "Sec_Fetch_Site": "same-origin"}
    answers = [function.call("POST", "/oauth/authorize", query=asked, form=form, **headers) for _ in range(2)]
    assert [answer["statusCode"] for answer in answers] == [303, 422]
    fault = answers[-1]["body"].split('role="alert"')[1].split("</div>")[0]
    assert f'Encerre um em <a href="{BASE}/#access"' in fault


def test_the_body_of_a_form_is_read_as_it_is_sent_in_base64(function, asked) -> None:
    answer = function.call("POST", "/oauth/authorize", query=asked, form={"token": "\ud7ff"})
    assert answer["statusCode"] == 403
