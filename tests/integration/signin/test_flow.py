"""Sign-in: registration, consent, tokens, renewal, revocation."""

import pytest

from brskills_server.accounts.grant import ACCESS_SECONDS
from brskills_server.skills.catalogue import SCOPES
from tests.services.sign_in import Fields, parameters_of


def test_a_code_is_exchanged_for_tokens_and_these_for_others(program, key) -> None:
    page = program.page(scope="pix cnpj")
    assert page.status_code == 200
    answer = program.answer(page, key=key, answer="allow")
    found = parameters_of(answer.headers["location"])
    assert answer.headers["location"].startswith(program.redirect + "?")
    assert (found["state"], found["iss"]) == ('of the "program"', program.base)
    tokens = program.redeem(found["code"]).json()
    assert tokens["access_token"].startswith("brsk_at_")
    assert tokens["refresh_token"].startswith("brsk_rt_")
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == (
        "Bearer",
        ACCESS_SECONDS,
        "pix cnpj",
    )
    further = program.refresh(tokens["refresh_token"])
    assert further.headers["cache-control"] == "no-store"
    assert further.json()["refresh_token"] != tokens["refresh_token"]
    assert further.json()["scope"] == "pix cnpj"


def test_without_a_scope_all_are_granted_and_unknown_ones_are_ignored(program, key) -> None:
    assert program.redeem(program.code(key)).json()["scope"] == " ".join(SCOPES)
    assert program.redeem(program.code(key, scope="openid cnpj")).json()["scope"] == "cnpj"


def test_a_loopback_redirect_may_have_any_port(new_program, key) -> None:
    program = new_program("http://127.0.0.1:4000/cb?a=b", redirect_uris=["http://127.0.0.1/cb?a=b"])
    answer = program.answer(program.page(), key=key, answer="allow")
    assert answer.headers["location"].startswith("http://127.0.0.1:4000/cb?a=b&code=")
    code = parameters_of(answer.headers["location"])["code"]
    assert program.redeem(code, redirect_uri="http://127.0.0.1:4001/cb?a=b").status_code == 400
    assert program.redeem(code).status_code == 200


def test_the_redirect_uri_need_not_be_repeated(program, key) -> None:
    assert program.redeem(program.code(key), redirect_uri=None).status_code == 200


def test_a_free_key_is_given_at_once_and_shown_once(program, http) -> None:
    page = program.answer(program.page(), answer="new_key")
    assert page.status_code == 200
    key = Fields(page.text).values["key"]
    assert key.startswith("brsk_")
    assert http.get("/api/v1/usage", headers={"X-API-Key": key}).json()["plano"] == "free"
    answer = program.answer(page, answer="allow")
    code = parameters_of(answer.headers["location"])["code"]
    assert program.redeem(code).status_code == 200
    assert key not in program.page().text


def test_a_refusal_redirects_with_access_denied(program) -> None:
    answer = program.answer(program.page(), answer="refuse")
    assert parameters_of(answer.headers["location"]) == {
        "error": "access_denied",
        "state": 'of the "program"',
        "iss": program.base,
    }


@pytest.mark.parametrize("key", ["", "brsk_nothing", "çãõ!", "brsk_demo00000000000000000000000000001gbZMd"])
def test_an_unusable_key_is_rejected_on_the_page(program, key) -> None:
    page = program.answer(program.page(), key=key, answer="allow")
    assert page.status_code == 422
    assert ("demonstração" in Fields(page.text).text.split("Sua chave")[0]) == ("demo" in key)
    assert key not in page.text or not key
    assert program.answer(page, answer="refuse").status_code == 303


def test_revoking_a_token_ends_its_grant(program, key) -> None:
    tokens = program.redeem(program.code(key)).json()
    answer = program.revoke(tokens["access_token"], token_type_hint="access_token")
    assert (answer.status_code, answer.json()) == (200, {})
    assert program.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert program.revoke("of no form").status_code == 200


def test_an_owner_lists_and_ends_grants(program, key, http) -> None:
    headers = {"X-API-Key": key}
    assert http.get("/api/v1/grants", headers=headers).json() == {"acessos": []}
    tokens = program.redeem(program.code(key, scope="cnpj")).json()
    (found,) = http.get("/api/v1/grants", headers=headers).json()["acessos"]
    assert found["programa"] == "Assistente"
    assert (found["programa_id"], found["escopos"]) == (program.id, ["cnpj"])
    assert found["redirecionado_a"] == program.redirect
    assert found["chamadas"] == {}
    end = {"id": found["id"]}
    other = http.post("/api/v1/keys").json()["api_key"]
    assert http.post("/api/v1/grants/end", json=end, headers={"X-API-Key": other}).status_code == 404
    assert program.refresh(tokens["refresh_token"]).status_code == 200
    assert http.post("/api/v1/grants/end", json=end, headers=headers).status_code == 204
    ended = http.post("/api/v1/grants/end", json=end, headers=headers).json()
    assert (ended["code"], ended["title"]) == ("not_found", "Acesso inexistente")
    assert http.get("/api/v1/grants", headers=headers).json() == {"acessos": []}


def test_the_demo_key_has_no_grants(http) -> None:
    headers = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
    assert http.get("/api/v1/grants", headers=headers).json()["code"] == "demo_key"
    assert http.post("/api/v1/grants/end", json={"id": "a"}, headers=headers).json()["code"] == "demo_key"


def test_cors_is_open_but_for_the_page(program) -> None:
    for answer in (
        program.http.get("/.well-known/oauth-protected-resource"),
        program.register(),
        program.refresh("none"),
        program.revoke("none"),
    ):
        assert answer.headers["access-control-allow-origin"] == "*"
    assert program.page().headers["access-control-allow-origin"] == program.base


@pytest.mark.parametrize(
    ("accepted", "ui_locales", "language"),
    [("en", "", "en"), ("en", "fr pt-BR", "pt-BR"), ("pt-BR", "en-GB", "en"), ("pt-BR", "fr", "pt-BR")],
)
def test_the_language_is_the_clients_else_the_browsers(program, accepted, ui_locales, language) -> None:
    page = program.page({"Accept-Language": accepted}, ui_locales=ui_locales)
    assert f'<html lang="{language}">' in page.text
