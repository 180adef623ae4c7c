"""An issue is shown at its field until the field changes."""

from playwright.sync_api import expect

from tests.browser.held import A_WHILE
from tests.browser.reading import unfold


def test_an_issue_goes_as_soon_as_its_field_is_edited(page):
    page.fill("#pix-chave", "111.444.777-00")
    page.fill("#pix-nome_recebedor", "")
    page.locator("#pix-form .submit button").click()
    expect(page.locator("#pix-form .summary")).to_be_visible()
    expect(page.locator("#pix-chave-issue")).to_be_visible()
    # Nothing else is asked, so nothing else can take it away.
    page.route("**/api/v1/skills/pix", lambda route: None)
    page.locator("#pix-chave").press("End")
    page.keyboard.type("1")
    expect(page.locator("#pix-chave-issue")).to_have_count(0)
    expect(page.locator("#pix-chave")).to_have_attribute("aria-describedby", "pix-chave-hint")
    expect(page.locator("#pix-form .summary")).to_be_hidden()
    # The other field holds what it held.
    expect(page.locator("#pix-nome_recebedor-issue")).to_be_visible()


def test_an_issue_that_another_field_caused_goes_with_its_cause(page):
    page.fill("#pix-chave", "123e4567-e89b-12d3-a456-426655440000")
    unfold(page, "#pix-descricao")
    page.fill("#pix-descricao", "Uma mensagem que so cabe com chave curta")
    page.locator("#pix-form .submit button").click()
    expect(page.locator("#pix-form .summary")).to_be_visible()
    expect(page.locator("#pix-descricao-issue")).to_be_visible()
    page.fill("#pix-chave", "a@b.com.br")
    expect(page.locator("#pix-descricao-issue")).to_have_count(0)


def test_a_check_of_what_was_typed_before_shows_nothing(page):
    drafts = []
    page.route("**/api/v1/skills/pix", lambda route: drafts.append(route))
    page.fill("#pix-chave", "pix@")
    page.keyboard.press("Tab")
    while not drafts:
        page.wait_for_timeout(10)
    page.fill("#pix-chave", "pix@exemplo.com.br")
    drafts[0].continue_()
    page.wait_for_timeout(A_WHILE)
    expect(page.locator("#pix-chave-issue")).to_have_count(0)


def test_an_issue_of_a_field_that_was_left_is_shown_though_the_next_is_being_filled_in(page):
    page.fill("#pix-chave", "pix@")
    page.keyboard.press("Tab")
    page.keyboard.type("12")
    expect(page.locator("#pix-chave-issue")).to_be_visible()
    expect(page.locator("#pix-valor")).to_be_focused()
