"""The programs that an account's owner has allowed are listed on the page, and ended there."""

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_access import serious_issues, tab_to
from tests.services.sign_in import WEB, Program


@pytest.fixture
def key(base: str) -> str:
    return str(httpx.post(f"{base}api/v1/keys").json()["api_key"])


def allow(base: str, key: str, name: str, redirect: str = WEB) -> str:
    """An access token of a program that is allowed by a key."""
    with Program(base.rstrip("/"), redirect) as program:
        program.register(client_name=name)
        return str(program.redeem(program.code(key)).json()["access_token"])


def bring(page: Page, key: str) -> None:
    page.get_by_text("Já tenho uma chave", exact=True).click()
    page.fill("#own-key", key)
    page.keyboard.press("Enter")
    expect(page.locator("#key-shown")).to_have_value(key)


def end(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Encerrar: {name}").click()
    page.get_by_role("button", name=f"Encerrar mesmo: {name}").click()


def make_code(base: str, token: str) -> None:
    call = {
        "name": "create_pix_code",
        "arguments": {"chave": "pix@exemplo.com.br", "nome_recebedor": "A", "cidade": "B"},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-11-25"}
    assert not httpx.post(f"{base}mcp", json=body, headers=headers).json()["result"].get("isError")


def tools(base: str, token: str) -> int:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-11-25"}
    return httpx.post(f"{base}mcp", json=body, headers=headers).status_code


def test_programs_are_listed_and_ended(open_page, base, key):
    first, second = allow(base, key, "Primeiro"), allow(base, key, "<b>Segundo</b>")
    page = open_page()
    bring(page, key)
    page.get_by_text("Programas com acesso").click()
    lines = page.locator("#grants-list > li")
    expect(lines).to_have_count(2)
    expect(page.locator("#grants-list")).to_contain_text("<b>Segundo</b>")
    expect(page.locator("#grants-list")).to_contain_text("responde em assistente.example")
    end(page, "Primeiro")
    expect(page.locator("#grants-message")).to_have_text("Acesso de Primeiro encerrado.")
    expect(lines).to_have_count(1)
    expect(page.locator("#grants-title")).to_be_focused()
    assert (tools(base, first), tools(base, second)) == (401, 200)
    end(page, "<b>Segundo</b>")
    expect(page.locator("#grants-message")).to_have_text(
        "Acesso de <b>Segundo</b> encerrado. Nenhum programa tem acesso."
    )


def test_the_list_is_of_the_key_in_use(open_page, base, key):
    allow(base, key, "Primeiro")
    page = open_page()
    page.get_by_text("Programas com acesso").click()
    expect(page.locator("#grants-message")).to_contain_text("informe a sua chave acima")
    bring(page, key)
    expect(page.locator("#grants-list > li")).to_have_count(1)
    page.locator("#key-form button").click()
    expect(page.locator("#key-message")).to_contain_text("Sua chave está pronta")
    expect(page.locator("#grants-message")).to_have_text("Nenhum programa tem acesso.")
    expect(page.locator("#grants-list > li")).to_have_count(0)


def is_one_line(button: Locator) -> bool:
    """Whether the words of a button stand beside one another."""
    rows = """button => {
        const words = document.createRange();
        words.selectNodeContents(button);
        return words.getClientRects().length;
    }"""
    return bool(button.evaluate(rows) == 1)


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1200)])
def test_the_list_can_be_read_by_everybody(open_page, base, key, scheme, width):
    allow(base, key, "n" * 60)
    page = open_page(color_scheme=scheme, viewport={"width": width, "height": 844})
    bring(page, key)
    page.get_by_text("Programas com acesso").click()
    button = page.get_by_role("button", name="Encerrar")
    assert is_one_line(button)
    assert serious_issues(page) == []
    button.click()
    for words in ("Encerrar mesmo", "Manter"):
        assert is_one_line(page.get_by_role("button", name=words))
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_ends_before_it_is_asked_whether_that_is_meant(open_page, base, key):
    token = allow(base, key, "Primeiro")
    page = open_page()
    bring(page, key)
    page.get_by_text("Programas com acesso").click()
    page.get_by_role("button", name="Encerrar: Primeiro").dblclick()
    asked = page.get_by_role(
        "group", name="Primeiro perde o acesso na hora. Para usar de novo, o programa terá de pedir"
    )
    expect(asked).to_be_visible()
    page.get_by_role("button", name="Manter: Primeiro").click()
    page.keyboard.press("Enter")
    expect(asked).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Encerrar mesmo: Primeiro")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Encerrar: Primeiro")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Encerrar: Primeiro")).to_be_focused()
    assert tools(base, token) == 200
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#grants-message")).to_contain_text("Acesso de Primeiro encerrado.")
    assert tools(base, token) == 401


def test_the_days_are_those_of_where_the_reader_is(open_page, base, key):
    grant = {
        "id": "a",
        "programa": "Noite",
        "escopos": [],
        "redirecionado_a": WEB,
        "chamadas": {"2026-11": 2},
    }
    instants = {"concedido_em": "2026-11-20T01:00:00Z", "usado_em": "2026-11-23T02:59:00Z"}
    page = open_page(timezone_id="America/Sao_Paulo")
    page.route("**/api/v1/grants", lambda route: route.fulfill(json={"acessos": [{**grant, **instants}]}))
    bring(page, key)
    page.get_by_text("Programas com acesso").click()
    expect(page.locator("#grants-list")).to_contain_text("permitido em 19 de nov. de 2026")
    expect(page.locator("#grants-list")).to_contain_text(
        "recebeu acesso pela última vez em 22 de nov. de 2026 · 2 chamadas"
    )


@pytest.mark.parametrize("path", ["#access", "en#access"])
def test_who_comes_for_the_list_finds_it_open_and_where_the_key_goes(open_page, path):
    page = open_page(path, viewport={"width": 390, "height": 844})
    expect(page.locator("#grants-message")).not_to_be_empty()
    for part in ("#own-key", "#grants-message"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", ["", "en"])
def test_the_address_for_an_assistant_is_there_to_be_copied(open_page, base, path):
    page = open_page(path, permissions=["clipboard-read", "clipboard-write"])
    tab_to(page, "#connector > summary")
    page.keyboard.press("Enter")
    tab_to(page, "[data-copy=assistant-address]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-copy=assistant-address]")).to_have_text("Copiado" if not path else "Copied")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == f"{base}mcp/oauth"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx.post(address, json=body, headers={"MCP-Protocol-Version": "2025-11-25"})
    assert "oauth-protected-resource" in answer.headers["www-authenticate"]
