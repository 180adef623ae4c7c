"""Signing in by OAuth, as a program and a person do it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.e2e.conftest import Service
from tests.services.sign_in import Program, parameters_of


@pytest.fixture
def program(service: Service) -> Iterator[Program]:
    with Program(service.base_url) as found:
        # MiniStack has a path before the stage, which is not in the event.
        found.issuer = found.http.get("/.well-known/oauth-authorization-server").json()["issuer"]
        assert found.register().status_code == 201
        yield found


def test_the_documents_lead_from_the_resource_to_the_token(http: httpx.Client) -> None:
    resource = http.get("/.well-known/oauth-protected-resource/mcp").json()
    assert resource == http.get("/.well-known/oauth-protected-resource").json()
    server = http.get("/.well-known/openid-configuration").json()
    assert server == http.get("/.well-known/oauth-authorization-server").json()
    # Where the issuer has a path, as behind a stage, clients find its document behind that path.
    assert resource["authorization_servers"] == [server["issuer"]]
    assert resource["resource"] == f"{server['issuer']}/mcp"
    endpoints = {name: address for name, address in server.items() if name.endswith("_endpoint")}
    assert len(endpoints) == 4
    assert all(address.startswith(f"{server['issuer']}/oauth/") for address in endpoints.values())
    asked = {"grant_type": "none", "client_id": "none"}
    answer = http.post(server["token_endpoint"].removeprefix(server["issuer"]), data=asked)
    assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")


def test_a_person_allows_a_program_and_ends_it(program: Program, api: httpx.Client, api_key: str) -> None:
    page = program.page(scope="cnpj")
    assert page.headers["content-type"].startswith("text/html")
    answer = program.answer(page, key=api_key, answer="allow")
    answered = parameters_of(answer.headers["location"])
    assert answered["iss"] == program.issuer
    code = answered["code"]
    tokens = program.redeem(code).json()
    assert tokens["scope"] == "cnpj"
    further = program.refresh(tokens["refresh_token"])
    assert further.status_code == 200
    (grant,) = [found for found in api.get("/api/v1/grants").json()["acessos"] if found["id"] in code]
    assert grant["programa_id"] == program.id
    assert api.post("/api/v1/grants/end", json={"id": grant["id"]}).status_code == 204
    ended = program.refresh(further.json()["refresh_token"])
    assert (ended.status_code, ended.json()["error"]) == (400, "invalid_grant")


def test_a_code_that_is_used_twice_ends_what_it_gave(program: Program, api_key: str) -> None:
    code = program.code(api_key)
    tokens = program.redeem(code).json()
    assert program.redeem(code).status_code == 400
    assert program.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_person_may_refuse(program: Program) -> None:
    answer = program.answer(program.page(), answer="refuse")
    assert parameters_of(answer.headers["location"])["error"] == "access_denied"


def test_an_address_that_is_not_registered_is_not_gone_to(program: Program) -> None:
    page = program.page(redirect_uri="https://mau.example/")
    assert (page.status_code, "location" in page.headers) == (400, False)
