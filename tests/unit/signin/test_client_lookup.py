"""Clients with a document: read for the page, remembered for an hour, not needed for their tokens."""

import json
from typing import Any

import pytest

from brskills_server.accounts.grant import Client
from brskills_server.web.signin.client_lookup import DOCUMENT_SECONDS, Busy
from functions.oauth import app
from tests.services.sign_in import Fields, challenge_of, parameters_of

ADDRESS = "https://app.example/client.json"
REDIRECT = "https://app.example/cb"
VERIFIER = "v" * 43
ASKED = {
    "response_type": "code",
    "client_id": ADDRESS,
    "redirect_uri": REDIRECT,
    "code_challenge": challenge_of(VERIFIER),
    "code_challenge_method": "S256",
}


@pytest.fixture
def reading(function, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses whose documents were read."""
    read: list[str] = []

    def read_document(address: str) -> Client | None:
        read.append(address)
        return Client(ADDRESS, "Assistente", (REDIRECT,), 5) if address == ADDRESS else None

    monkeypatch.setattr(app.client_lookup, "fetch", read_document)
    return read


def allow(function) -> dict[str, Any]:
    page = function.call("GET", "/oauth/authorize", query=ASKED)
    key = function.accounts.open("free").api_key
    form = {**Fields(page["body"]).values, "key": key, "answer": "allow"}
    headers = {"Cookie": page["headers"]["Set-Cookie"].split(";")[0], "Sec_Fetch_Site": "same-origin"}
    answer = function.call("POST", "/oauth/authorize", query=ASKED, form=form, **headers)
    code = parameters_of(answer["headers"]["Location"])["code"]
    form = {"grant_type": "authorization_code", "client_id": ADDRESS, "code": code, "code_verifier": VERIFIER}
    tokens: dict[str, Any] = json.loads(function.call("POST", "/oauth/token", form=form)["body"])
    return tokens


def test_the_page_shows_the_host_of_the_document(function, reading) -> None:
    page = function.call("GET", "/oauth/authorize", query=ASKED)
    assert "<code>app.example</code>" in page["body"]


def test_a_document_is_read_once_an_hour_and_never_for_tokens(function, reading, clock) -> None:
    tokens = allow(function)
    assert reading == [ADDRESS]
    clock.now += DOCUMENT_SECONDS
    form = {"grant_type": "refresh_token", "client_id": ADDRESS, "refresh_token": tokens["refresh_token"]}
    assert function.call("POST", "/oauth/token", form=form)["statusCode"] == 200
    assert reading == [ADDRESS]
    function.call("GET", "/oauth/authorize", query=ASKED)
    assert reading == [ADDRESS, ADDRESS]


def test_an_address_without_a_document_is_an_unknown_client(function, reading) -> None:
    query = {**ASKED, "client_id": "https://app.example/other.json"}
    page = function.call("GET", "/oauth/authorize", query=query)
    assert page["statusCode"] == 400
    assert "não está registrado" in page["body"]


def test_a_token_of_one_client_is_of_no_use_to_another_address(function, reading) -> None:
    tokens = allow(function)
    for client in ("https://app.example/other.json", "https://mau.example/client.json"):
        form = {"grant_type": "refresh_token", "client_id": client, "refresh_token": tokens["refresh_token"]}
        answer = function.call("POST", "/oauth/token", form=form)
        assert json.loads(answer["body"])["error"] == "invalid_grant"


@pytest.mark.parametrize("client", ["http://app.example/client.json", "https://app.example", "javascript:a"])
def test_an_invalid_address_is_not_fetched(function, reading, client: str) -> None:
    page = function.call("GET", "/oauth/authorize", query={**ASKED, "client_id": client})
    assert page["statusCode"] == 400
    assert reading == []


def test_fetches_are_limited_by_network_and_cached_documents_are_not(function, reading) -> None:
    for name in ("client", "a", "b"):
        query = {**ASKED, "client_id": f"https://app.example/{name}.json"}
        page = function.call("GET", "/oauth/authorize", query=query)
    assert (page["statusCode"], len(reading)) == (429, 2)
    assert int(page["headers"]["Retry-After"]) > 0
    assert "Volte mais tarde" in page["body"]
    assert function.call("GET", "/oauth/authorize", query=ASKED)["statusCode"] == 200
    assert function.call("GET", "/oauth/authorize", query=query, peer="198.51.100.7")["statusCode"] == 400


def test_too_many_fetches_are_503(function, monkeypatch) -> None:
    def read_document(_: str) -> Client | None:
        raise Busy

    monkeypatch.setattr(app.client_lookup, "fetch", read_document)
    page = function.call("GET", "/oauth/authorize", query=ASKED)
    assert page["statusCode"] == 503
    assert "Tente de novo" in page["body"]
