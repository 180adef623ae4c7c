"""Attacks by redirect addresses: only registered ones are redirected to."""

import pytest

from tests.services.sign_in import Fields, parameters_of


@pytest.mark.parametrize(
    "address",
    [
        "https://mau.example/",
        "https://assistente.example/retorno?a=b",
        "https://assistente.example/retorno\n",
        "",
    ],
)
def test_an_unregistered_address_is_not_redirected_to(program, address) -> None:
    page = program.page(redirect_uri=address)
    assert page.status_code == 400
    assert "location" not in page.headers
    assert [tag for tag, _ in Fields(page.text).tags if tag in {"a", "form"}] == []


def test_on_loopback_the_port_is_free(new_program) -> None:
    program = new_program("http://127.0.0.1/cb")
    assert program.page(redirect_uri="http://127.0.0.1:4000/cb").status_code == 200
    assert program.page(redirect_uri="http://127.0.0.1:4000/outro").status_code == 400


def test_an_unknown_client_is_never_redirected_to(program) -> None:
    for client in ("brsk_cl_0000000000000000000000", "", "https://assistente.example"):
        page = program.page(client_id=client)
        assert (page.status_code, "location" in page.headers) == (400, False)
        assert [tag for tag, _ in Fields(page.text).tags if tag in {"a", "form"}] == []
    assert "não está registrado" in program.page(client_id="brsk_cl_0000000000000000000000").text


def test_an_invalid_request_is_redirected_only_by_a_link(program) -> None:
    page = program.page(response_type="token")
    assert (page.status_code, "location" in page.headers) == (400, False)
    ((_, link),) = [found for found in Fields(page.text).tags if found[0] == "a"]
    assert str(link["href"]).startswith(program.redirect + "?")
    found = parameters_of(str(link["href"]))
    assert (found["error"], found["state"]) == ("unsupported_response_type", 'of the "program"')
    assert found["iss"] == program.base


def test_a_parameter_that_is_given_twice_is_refused(program) -> None:
    asked = list(program.asked().items())
    for name in ("redirect_uri", "client_id", "state", "code_challenge"):
        page = program.http.get("/oauth/authorize", params=[*asked, (name, "https://mau.example/")])
        assert (page.status_code, "<form" in page.text, "mau" in page.text) == (400, False, False)


@pytest.mark.parametrize("address", ["com.example.app:/cb", "cursor://anysphere.cursor-mcp/oauth/callback"])
def test_a_programs_own_scheme_is_shown_as_such(new_program, address, key) -> None:
    program = new_program(address)
    page = program.page()
    scheme = address.partition(":")[0] + ":"
    assert f"<code>{scheme}</code>" in page.text
    assert "Um programa neste computador" in page.text
    assert f"form-action 'self' https: {scheme}" in page.headers["content-security-policy"]
    answer = program.answer(page, key=key, answer="allow")
    assert answer.headers["location"].startswith(address + "?code=")
