"""The programs that an account's owner has allowed are listed on the page, and ended there."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.services.sign_in import Program


@pytest.fixture
def key(base: str) -> str:
    return str(httpx.post(f"{base}api/v1/keys").json()["api_key"])


def allow(base: str, key: str, name: str) -> str:
    """An access token of a program that is allowed by a key."""
    with Program(base.rstrip("/")) as program:
        program.register(client_name=name)
        return str(program.redeem(program.code(key)).json()["access_token"])


def bring(page: Page, key: str) -> None:
    page.get_by_text("Já tenho uma chave").click()
    page.fill("#own-key", key)
    page.keyboard.press("Enter")
    expect(page.locator("#key-shown")).to_have_value(key)


def tools(base: str, token: str) -> int:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-11-25"}
    return httpx.post(f"{base}mcp", json=body, headers=headers).status_code


def test_programs_are_listed_and_ended(open_page, base, key):
    first, second = allow(base, key, "Primeiro"), allow(base, key, "<b>Segundo</b>")
    page = open_page()
    bring(page, key)
    page.get_by_text("Programas com acesso").click()
    lines = page.locator("#grants-list li")
    expect(lines).to_have_count(2)
    expect(page.locator("#grants-list")).to_contain_text("<b>Segundo</b>")
    expect(page.locator("#grants-list")).to_contain_text("leva a assistente.example")
    page.get_by_role("button", name="Encerrar: Primeiro").click()
    expect(page.locator("#grants-said")).to_have_text("Acesso de Primeiro encerrado.")
    expect(lines).to_have_count(1)
    expect(page.locator("#grants-title")).to_be_focused()
    assert (tools(base, first), tools(base, second)) == (401, 200)
    page.get_by_role("button", name="Encerrar: <b>Segundo</b>").click()
    expect(page.locator("#grants-said")).to_have_text(
        "Acesso de <b>Segundo</b> encerrado. Nenhum programa tem acesso."
    )


def test_the_list_is_of_the_key_in_use(open_page, base, key):
    allow(base, key, "Primeiro")
    page = open_page()
    page.get_by_text("Programas com acesso").click()
    expect(page.locator("#grants-said")).to_contain_text("Crie ou informe a sua chave")
    bring(page, key)
    expect(page.locator("#grants-list li")).to_have_count(1)
    page.locator("#key-form button").click()
    expect(page.locator("#key-said")).to_contain_text("Sua chave está pronta")
    expect(page.locator("#grants-said")).to_have_text("Nenhum programa tem acesso.")
    expect(page.locator("#grants-list li")).to_have_count(0)


def test_what_went_wrong_is_said(open_page, base, key):
    allow(base, key, "Primeiro")
    page = open_page()
    bring(page, key)
    page.get_by_text("Programas com acesso").click()
    expect(page.locator("#grants-list li")).to_have_count(1)
    httpx.post(f"{base}api/v1/keys/revoke", headers={"X-API-Key": key})
    page.get_by_role("button", name="Encerrar: Primeiro").click()
    expect(page.locator("#grants-list li")).to_have_count(0)
    expect(page.locator("#grants-said")).to_contain_text("chave")
