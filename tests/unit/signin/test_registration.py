"""Registration: valid metadata, equal clients, limits by network."""

import json
from typing import Any

import pytest

from brskills_server.accounts.clients import GRANTED_SECONDS, PER_DAY, UNGRANTED_SECONDS
from brskills_server.accounts.errors import StoreUnavailable
from functions.oauth import app

DAY = 86_400
SAID = {"client_name": "Assistente", "redirect_uris": ["https://assistente.example/retorno"]}


def register(function, said: Any = SAID, **event: Any) -> tuple[int, dict[str, Any]]:
    answer = function.call("POST", "/oauth/register", body=json.dumps(said), **event)
    assert answer["headers"]["Cache-Control"] == "no-store"
    assert answer["headers"]["Access-Control-Allow-Origin"] == "*"
    return answer["statusCode"], json.loads(answer["body"])


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "//assistente.example", "", "https://a b", "https://a\n", "https://a/\0"],
)
def test_an_invalid_page_address_is_dropped(function, address: str) -> None:
    status, client = register(function, {**SAID, "client_uri": address})
    assert (status, "client_uri" in client) == (201, False)


def test_every_client_is_public(function) -> None:
    asked = {
        **SAID,
        "client_uri": "https://assistente.example",
        "grant_types": ["authorization_code", "refresh_token", "client_credentials"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "client_secret_basic",
        "jwks_uri": "https://assistente.example/jwks",
        "logo_uri": "https://assistente.example/logo.png",
    }
    status, client = register(function, asked)
    assert status == 201
    assert client["client_id"].startswith("brsk_cl_")
    assert "client_secret" not in client
    assert client["token_endpoint_auth_method"] == "none"
    assert client["grant_types"] == ["authorization_code", "refresh_token"]
    assert client["client_uri"] == "https://assistente.example"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  A\u202e\u200b\n B\0", "A B"),
        ("\u3164\u2800\uffa0", "assistente.example"),
        ("\u115f\u1160 \ufe0f\u034f", "assistente.example"),
        ("Zalgo\u0301\u0302\u0303" + "\u0304" * 40, "Zalgo\u0301\u0302"),
        ("Pade\u0301ria Sa\u0303o", "Pade\u0301ria Sa\u0303o"),
        ("Vie\u0302\u0323t", "Vie\u0302\u0323t"),
        ("n" * 900, "n" * 60),
    ],
    ids=ascii,
)
def test_a_name_is_one_readable_line(function, name: str, shown: str) -> None:
    """Without characters that hide, reorder or cover letters."""
    assert register(function, {**SAID, "client_name": name})[1]["client_name"] == shown


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example/cb"}, "invalid_redirect_uri"),
        ({"redirect_uris": [1]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb", "javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb"] * 11}, "invalid_redirect_uri"),
        ({**SAID, "client_name": 5}, "invalid_client_metadata"),
        ({**SAID, "client_name": "n" * 1001}, "invalid_client_metadata"),
        ({**SAID, "client_uri": "u" * 1001}, "invalid_client_metadata"),
        ({**SAID, "grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({**SAID, "response_types": ["token"]}, "invalid_client_metadata"),
        ([], "invalid_client_metadata"),
    ],
)
def test_invalid_metadata_is_rejected_without_quoting_it(function, said: Any, error: str) -> None:
    status, answer = register(function, said)
    assert (status, answer["error"]) == (400, error)
    assert "a.example" not in answer["error_description"]


@pytest.mark.parametrize("body", ["{", "", "[" * 5000, '{"a": 1, "a": 2}', json.dumps({"a": "b" * 20_000})])
def test_a_body_that_is_not_json_or_too_long_is_refused(function, body: str) -> None:
    answer = function.call("POST", "/oauth/register", body=body)
    assert answer["statusCode"] == 400
    assert json.loads(answer["body"])["error"] == "invalid_client_metadata"


def test_equal_metadata_is_the_same_client(function) -> None:
    _, first = register(function)
    assert register(function, peer="198.51.100.7")[1] == first
    assert register(function, {**SAID, "client_name": "Outro"})[1]["client_id"] != first["client_id"]
    other = {**SAID, "redirect_uris": ["https://assistente.example/outro"]}
    assert register(function, other)[1]["client_id"] != first["client_id"]


def test_null_counts_as_missing(function) -> None:
    absent = dict.fromkeys(("client_name", "client_uri", "grant_types", "response_types", "scope"))
    bare = {"redirect_uris": SAID["redirect_uris"]}
    assert register(function, {**bare, **absent}) == register(function, bare)
    assert register(function, {"redirect_uris": None})[1]["error"] == "invalid_redirect_uri"


def test_a_program_that_gets_another_port_each_time_is_the_same_client(function) -> None:
    answers = [
        register(function, {"redirect_uris": [f"http://127.0.0.1:{port}/cb"]})[1] for port in (4000, 4001)
    ]
    assert len({client["client_id"] for client in answers}) == 1
    assert [client["redirect_uris"] for client in answers] == [
        ["http://127.0.0.1:4000/cb"],
        ["http://127.0.0.1:4001/cb"],
    ]


def test_new_clients_of_a_network_are_limited_by_day_and_known_ones_are_not(function) -> None:
    for n in range(PER_DAY):
        assert register(function, {**SAID, "client_name": str(n)})[0] == 201
    status, answer = register(function, {**SAID, "client_name": "more"})
    assert (status, answer["error"]) == (429, "temporarily_unavailable")
    assert register(function, {**SAID, "client_name": "0"})[0] == 201
    assert register(function, {**SAID, "client_name": "more"}, peer="198.51.100.7")[0] == 201


def test_rejected_registrations_are_not_counted_and_keys_are_counted_apart(function) -> None:
    for _ in range(PER_DAY + 1):
        register(function, {"redirect_uris": []})
    app.consent.signups.take("192.0.2.1", None)
    app.consent.signups.take("192.0.2.1", None)
    assert register(function)[0] == 201


def test_a_client_without_grants_is_forgotten(function, clock) -> None:
    _, client = register(function)
    clock.now += UNGRANTED_SECONDS - 1
    assert app.clients.find(client["client_id"])
    register(function)
    clock.now += UNGRANTED_SECONDS - 1
    assert app.clients.find(client["client_id"])
    clock.now += 1
    assert app.clients.find(client["client_id"]) is None


def test_registering_again_does_not_shorten_a_granted_clients_life(function, clock, store) -> None:
    _, client = register(function)
    store.extend_client(client["client_id"], int(clock.now) + GRANTED_SECONDS)
    register(function)
    clock.now += GRANTED_SECONDS - 1
    assert app.clients.find(client["client_id"])


def test_an_unavailable_store_is_an_error_of_the_protocol(function, monkeypatch) -> None:
    def fail(*_: Any) -> None:
        raise StoreUnavailable("down")

    monkeypatch.setattr(app.clients._store, "read_client", fail, raising=False)
    status, answer = register(function)
    assert (status, answer["error"]) == (503, "temporarily_unavailable")
    form = {"grant_type": "refresh_token", "client_id": "brsk_cl_" + "0" * 22, "refresh_token": "a"}
    form["client_id"] = "brsk_cl_C55nAOh0cEs1mhYz3WpWj8"
    answer = function.call("POST", "/oauth/token", form=form)
    assert (answer["statusCode"], answer["headers"]["Retry-After"]) == (503, "2")
    page = function.call(
        "GET", "/oauth/authorize", query={"client_id": form["client_id"], "response_type": "code"}
    )
    assert (page["statusCode"], page["headers"]["Retry-After"]) == (503, "2")
    assert page["headers"]["Content-Type"].startswith("text/html")
