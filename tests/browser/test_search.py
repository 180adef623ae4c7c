"""The search by name: companies beside the search they answer, and each opens above."""

from typing import Any

from playwright.sync_api import Page, expect

SEARCH = "**/api/v1/skills/cnpj/busca"
FOUND = "#search-result .found li"
EMPTY: dict[str, Any] = {
    "empresas": [],
    "total": 0,
    "total_exato": True,
    "cursor": None,
    "data_base": "2026-09-12",
    "sugestoes": [],
}


def opened(page: Page) -> Page:
    page.click("#search > summary")
    expect(page.locator("#search-uf option")).to_have_count(29)
    return page


def search(page: Page, name: str) -> None:
    page.fill("#search-nome", name)
    page.locator("#search-form .submit button").click()


def test_a_company_that_is_found_opens_above(page):
    opened(page).select_option("#search-situacao", "todas")
    search(page, "sandbox")
    expect(page.locator("#search-outcome")).to_have_text("Encontradas: 4.")
    expect(page.locator(FOUND)).to_have_count(4)
    expect(page.locator(FOUND).nth(1)).to_contain_text("SANDBOX2000114 · SAO PAULO/SP · 6201-5/01")
    page.locator(f"{FOUND} a").nth(1).click()
    expect(page.locator("#cnpj-name")).to_have_text("EMPRESA ENCERRADA DE EXEMPLO LTDA")
    expect(page.locator("#cnpj-cnpj")).to_have_value("SANDBOX2000114")


def test_another_search_takes_the_companies_away(page):
    search(opened(page), "SANDBOX")
    expect(page.locator(FOUND)).to_have_count(3)
    page.select_option("#search-uf", "RJ")
    expect(page.locator(FOUND)).to_have_count(0)
    expect(page.locator("#search-outcome")).to_have_text("A busca mudou. Busque de novo.")
    page.locator("#search-form .submit button").click()
    expect(page.locator("#search-outcome")).to_have_text("Nenhuma empresa ativa encontrada.")


def test_the_next_page_is_added_on_a_press(page):
    asked: list[Any] = []

    def shorten(route: Any) -> None:
        asked.append(route.request.post_data_json)
        route.continue_(post_data=str({**asked[-1], "limite": 2}).replace("'", '"'))

    page.route(SEARCH, shorten)
    search(opened(page), "SANDBOX")
    expect(page.locator(FOUND)).to_have_count(2)
    page.get_by_role("button", name="Mostrar mais").click()
    expect(page.locator(FOUND)).to_have_count(3)
    expect(page.get_by_role("button", name="Mostrar mais")).to_have_count(0)
    expect(page.locator(f"{FOUND} a").nth(2)).to_be_focused()
    assert asked[0] == {"nome": "SANDBOX", "situacao": "ativa"}
    assert asked[1] == {**asked[0], "cursor": asked[1]["cursor"]}
    assert asked[1]["cursor"]


def test_what_is_wrong_is_shown_at_its_field(page):
    opened(page).fill("#search-municipio", "1")
    search(page, "SANDBOX")
    expect(page.locator("#search-municipio-issue")).to_contain_text("Município desconhecido")
    page.fill("#search-municipio", "")
    search(page, "")
    expect(page.locator("#search-form .summary li")).to_have_text(["Nome", "Município"])
    expect(page.locator("#search-nome-issue")).to_contain_text("ou outro dos listados")


def test_words_that_are_near_are_proposed(page):
    page.route(SEARCH, lambda route: route.fulfill(json={**EMPTY, "sugestoes": ["PADARIA", "PADARIAS"]}))
    search(opened(page), "padarja")
    expect(page.locator("#search-outcome")).to_have_text(
        "Nenhuma empresa ativa encontrada. Palavras parecidas que existem: PADARIA, PADARIAS."
    )


def test_without_a_copy_the_page_says_so(page):
    search(opened(page), "padaria")
    expect(page.locator("#search-form .summary")).to_contain_text("cópia do cadastro")
