"""A page that is left and come back to: kept as it was, or loaded anew, it shows no answer to other input."""

from playwright.sync_api import Page, expect

from tests.browser.held import Held
from tests.browser.reading import demo_key, scan
from tests.browser.test_key_box import create


def make_code(page: Page) -> None:
    page.locator("#pix-form .submit button").click()
    expect(page.locator("#pix-measured")).to_contain_text("HTTP 200")


def leave_and_come_back(page: Page) -> None:
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#cnpj-name")).to_have_text("EMPRESA DE EXEMPLO LTDA")
    page.go_back(wait_until="commit")
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    page.wait_for_timeout(200)


def test_a_page_that_was_kept_has_its_form_and_its_code(open_page, keeping_browser):
    page = open_page(within=keeping_browser)
    page.evaluate("() => { window.kept = true; }")
    page.fill("#pix-valor", "99")
    make_code(page)
    leave_and_come_back(page)
    assert page.evaluate("() => window.kept")
    expect(page.locator("#pix-valor")).to_have_value("99")
    assert "540599.00" in scan(page.locator("#pix-qr"))
    page.fill("#pix-valor", "98")
    expect(page.locator("#pix-qr img")).to_have_count(0)


def test_a_page_that_was_kept_does_not_know_what_was_spent_since(open_page, keeping_browser):
    page = open_page(within=keeping_browser)
    key = create(page)
    make_code(page)
    expect(page.locator("#pix-form [data-quota]")).to_contain_text("Restam 99")
    leave_and_come_back(page)
    expect(page.locator("#pix-form [data-quota]")).to_have_text("Conta uma chamada.")
    expect(page.locator("#key-message")).to_have_text("Esta página usa a sua chave.")
    expect(page.locator("#key-usage")).to_have_text("PlanoFreeChamadas neste mêsaté 100")
    expect(page.locator("#key-shown")).to_have_value(key)


def test_a_page_loaded_anew_has_its_example_and_no_key_and_samples_of_its_form(page):
    page.locator("#pix-form summary").click()
    page.select_option("#pix-uso_unico", "true")
    page.check("#pix-estrito")
    page.fill("#pix-nome_recebedor", "Padaria")
    page.fill("#pix-cidade", "Recife")
    make_code(page)
    create(page)
    leave_and_come_back(page)
    expect(page.locator("#pix-measured")).to_have_text("exemplo")
    expect(page.locator("#pix-nome_recebedor")).to_have_value("Padaria São João")
    assert "Padaria Sao Joao6009Sao Paulo" in scan(page.locator("#pix-qr"))
    expect(page.locator("#key-shown")).to_have_value(demo_key(page))
    # Options that are folded away would go into the next code unseen.
    expect(page.locator("#pix-uso_unico")).to_have_value("")
    expect(page.locator("#pix-estrito")).not_to_be_checked()
    expect(page.locator("#pix-samples-code")).not_to_contain_text("estrito")


def test_what_a_browser_fills_in_without_a_word_is_noticed_when_the_page_is_shown(page):
    make_code(page)
    page.evaluate(
        "() => { document.getElementById('pix-valor').value = '99';"
        " dispatchEvent(new PageTransitionEvent('pageshow')); }"
    )
    expect(page.locator("#pix-qr img")).to_have_count(0)
    expect(page.locator("#pix-samples-code")).to_contain_text('"valor": "99"')


def test_the_status_is_asked_for_again_when_the_page_is_looked_at_again(open_page):
    page = open_page("status")
    held = Held(page, "status")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    assert held.count_after_a_while() == 1
    held[0].fulfill(body='{"status": "down"}')
    expect(page.locator("#status-text")).to_have_text("Fora do ar")
