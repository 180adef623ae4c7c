"""Attacks on codes and tokens: reuse, theft, missing PKCE, leaks."""

import pytest

from tests.services.sign_in import Fields, challenge_of

OTHER = "https://outro.example/retorno"


def error_of(answer) -> str:
    assert answer.status_code == 400
    assert "access_token" not in answer.text
    return str(answer.json()["error"])


def test_a_code_works_once_and_its_second_use_ends_what_the_first_gave(program, key) -> None:
    code = program.code(key)
    tokens = program.redeem(code).json()
    assert error_of(program.redeem(code)) == "invalid_grant"
    assert error_of(program.refresh(tokens["refresh_token"])) == "invalid_grant"


def test_a_code_is_of_no_use_to_another_client(program, new_program, key) -> None:
    code = program.code(key)
    other = new_program(OTHER)
    other.verifier = program.verifier
    assert error_of(other.redeem(code)) == "invalid_grant"
    assert error_of(other.redeem(code, redirect_uri=program.redirect)) == "invalid_grant"
    assert program.redeem(code).status_code == 200


def test_a_code_that_is_injected_into_another_sign_in_is_refused(program, key) -> None:
    stolen = program.code(key)
    mine, program.verifier = program.verifier, "another-verifier-of-43-characters-or-more-000"
    assert error_of(program.redeem(stolen)) == "invalid_grant"
    assert error_of(program.redeem(stolen, code_verifier=None)) == "invalid_request"
    assert error_of(program.redeem(stolen, code_verifier=challenge_of(mine))) == "invalid_grant"
    assert program.redeem(stolen, code_verifier=mine).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None},
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": "s256"},
        {"code_challenge": "short"},
        {"code_challenge": "a" * 44},
        {"code_challenge": "é" * 43},
    ],
)
def test_pkce_can_be_neither_left_out_nor_weakened(program, changes) -> None:
    page = program.page(**changes)
    assert (page.status_code, "<form" in page.text) == (400, False)
    assert "code_challenge" in page.text or "é" in str(changes)  # characters are looked at first
    assert "location" not in page.headers


def test_a_refresh_token_is_of_no_use_to_another_client(program, new_program, key) -> None:
    tokens = program.redeem(program.code(key)).json()
    other = new_program(OTHER)
    assert error_of(other.refresh(tokens["refresh_token"])) == "invalid_grant"
    for token in (tokens["refresh_token"], tokens["access_token"]):  # rejected (RFC 7009 §2.1)
        assert error_of(other.revoke(token)) == "invalid_grant"
    assert program.refresh(tokens["refresh_token"]).status_code == 200


def test_no_token_is_taken_for_another_kind_or_widened(program, key) -> None:
    code = program.code(key, scope="pix")
    assert error_of(program.refresh(code)) == "invalid_grant"
    tokens = program.redeem(code).json()
    assert error_of(program.refresh(tokens["access_token"])) == "invalid_grant"
    assert error_of(program.refresh(tokens["refresh_token"], scope="pix cnpj")) == "invalid_scope"
    assert program.refresh(tokens["refresh_token"], scope="pix").json()["scope"] == "pix"


@pytest.mark.parametrize("resource", ["https://outro.example/mcp", "/mcp", "{base}/api", "{base}/mcp//"])
def test_a_resource_of_another_server_is_rejected_everywhere(program, key, resource) -> None:
    named = resource.format(base=program.base)
    page = program.page(resource=named)
    assert (page.status_code, "invalid_target" in page.text, "<form" in page.text) == (400, True, False)
    code = program.code(key)
    assert error_of(program.redeem(code, resource=named)) == "invalid_target"
    token = program.redeem(code, resource=f"{program.base}/mcp").json()["refresh_token"]
    assert error_of(program.refresh(token, resource=named)) == "invalid_target"
    for ours in ("", "/", "/mcp", "/mcp/", "/mcp/oauth", "/mcp/oauth/"):
        answer = program.refresh(token, resource=program.base + ours)
        token = answer.json()["refresh_token"]


@pytest.mark.parametrize("response_type", ["token", "id_token", "code token", "", 'a"b'])
def test_other_response_types_are_rejected(program, response_type) -> None:
    page = program.page(response_type=response_type)
    assert (page.status_code, "<form" in page.text) == (400, False)


@pytest.mark.parametrize(
    "grant", ["password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:device_code"]
)
def test_other_grant_types_are_rejected(program, grant) -> None:
    assert error_of(program.ask(grant_type=grant, username="a", password="b")) == "unsupported_grant_type"


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_codes_and_tokens_are_not_read_from_an_address(program, key, path) -> None:
    code = program.code(key)
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "client_id": program.id,
        "code_verifier": program.verifier,
        "token": code,
    }
    answer = program.http.post(path, params=fields)
    assert error_of(answer) == "invalid_request"
    answer = program.http.post(path, params={"code": code}, data=fields)
    assert error_of(answer) == "invalid_request"
    assert program.http.get(path, params=fields).status_code == 404
    assert program.redeem(code).status_code == 200


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        ("grant_type=authorization_code&grant_type=refresh_token", "application/x-www-form-urlencoded"),
        ('{"grant_type": "authorization_code"}', "application/json"),
        ("grant_type=%FF", "application/x-www-form-urlencoded"),
        ("a=" + "b" * 20_000, "application/x-www-form-urlencoded"),
        ("&".join(f"a{n}=b" for n in range(200)), "application/x-www-form-urlencoded"),
        ("code=a%0Ab&client_id=c&grant_type=authorization_code", "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_not_a_form_is_refused(program, body, media_type) -> None:
    for path in ("/oauth/token", "/oauth/revoke"):
        answer = program.http.post(path, content=body, headers={"Content-Type": media_type})
        assert error_of(answer) == "invalid_request"
        assert set(answer.json()) == {"error", "error_description"}


def test_an_unknown_client_is_an_error(program) -> None:
    program.id = "brsk_cl_0000000000000000000000"
    assert error_of(program.refresh("brsk_rt_none")) == "invalid_client"
    assert error_of(program.revoke("brsk_rt_none")) == "invalid_client"


@pytest.mark.parametrize("lacking", ["grant_type", "client_id", "refresh_token"])
def test_what_is_missing_is_named(program, lacking) -> None:
    sent = {"grant_type": "refresh_token", "refresh_token": "brsk_rt_none", lacking: None}
    answer = program.ask(**sent)
    assert error_of(answer) == "invalid_request"
    assert answer.json()["error_description"] == f"Missing '{lacking}' in request."
    answer = program.http.post("/oauth/revoke", data={"token": "brsk_rt_none"})
    assert answer.json()["error_description"] == "Missing 'client_id' in request."


def test_unknown_parameters_are_ignored(program, key) -> None:
    """RFC 6749 §3.1 and §3.2."""
    strange = {"claims": '{"a": "é"}', "aparelho": "\x01"}
    code = program.code(key, **strange)
    tokens = program.redeem(code, **strange)
    assert tokens.status_code == 200
    assert program.refresh(tokens.json()["refresh_token"], **strange).status_code == 200


def test_nothing_that_gives_access_is_in_a_log(program, running, key) -> None:
    code = program.code(key)
    tokens = program.redeem(code).json()
    further = program.refresh(tokens["refresh_token"]).json()
    program.refresh(tokens["refresh_token"])
    program.redeem(code)
    new = program.answer(program.page(), answer="new_key")
    secrets = [key, code, *(held[kind] for held in (tokens, further) for kind in held if "token" in kind)]
    secrets += [program.verifier, Fields(new.text).values["key"]]
    said = running.output.read_text()
    assert "POST /oauth/token" in said
    for secret in secrets:
        assert secret == "Bearer" or secret not in said
    assert "Assistente" not in said
