"""A outcome on a code is shown only beside that code."""

from playwright.sync_api import Page, expect

from tests.browser.held import Held, problem

GOOD = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR"
    "5916Padaria Sao Joao6009Sao Paulo62070503***630429C5"
)
BAD = GOOD[:-1] + "6"
DECODE = "skills/pix/decode"
TYPE_AND_SUBMIT = """(code) => {
  const form = document.getElementById("check-form");
  form.elements.brcode.value = code;
  form.dispatchEvent(new Event("input"));
  form.requestSubmit();
}"""
A_PAUSE = 600  # milliseconds; the page waits for less before it reads what was typed


def expect_outcome(page: Page, words: str) -> None:
    expect(page.locator("#check-outcome")).to_have_text(words)
    expect(page.locator("#check-fields dl")).to_be_visible()


def expect_none(page: Page, words: str) -> None:
    expect(page.locator("#check-outcome")).to_have_text(words)
    expect(page.locator("#check-outcome")).to_have_attribute("data-kind", "")
    expect(page.locator("#check-fields")).to_be_empty()
    expect(page.locator("#check-findings")).to_be_empty()


def test_a_verdict_goes_with_its_code_and_not_when_the_next_is_there(page):
    page.fill("#check-brcode", GOOD)
    expect_outcome(page, "Código válido.")
    held = Held(page, DECODE)
    page.fill("#check-brcode", BAD)
    expect_none(page, "Um instante…")
    held[0]
    expect_none(page, "Um instante…")
    held.pass_on(0)
    expect_outcome(page, "Código inválido.")
    expect(page.locator("#check-findings")).to_contain_text("crc_mismatch")


def test_a_refusal_stays_though_the_pause_after_typing_ends_later(page):
    held = Held(page, DECODE)
    page.evaluate(TYPE_AND_SUBMIT, GOOD)
    held[0].fulfill(**problem(503, "store_unavailable"))
    expect(page.locator("#check-form .summary")).to_be_visible()
    page.wait_for_timeout(A_PAUSE)
    expect_none(page, "Sem resultado: veja o erro no formulário.")
    assert held.count_after_a_while() == 1


def test_an_emptied_box_has_no_verdict_and_gets_none(page):
    page.fill("#check-brcode", GOOD)
    expect_outcome(page, "Código válido.")
    page.fill("#check-brcode", "")
    assert page.locator("#check-outcome").text_content() == "Cole um código no formulário."
    held = Held(page, DECODE)
    page.fill("#check-brcode", BAD)
    held[0]
    page.fill("#check-brcode", "")
    held.pass_on(0)
    expect_none(page, "Cole um código no formulário.")


def test_what_nobody_sees_at_the_ends_of_a_code_is_left_out_and_inside_it_is_not(page):
    page.fill("#check-brcode", f"\u200b\n {GOOD}\ufeff\r\n\xa0\u2060")
    expect_outcome(page, "Código válido.")
    page.fill("#check-brcode", GOOD.replace("Padaria Sao", "Padaria\nSao"))
    expect_outcome(page, "O texto foi danificado no caminho. O código original é este:")


def test_a_damaged_code_is_shown_as_it_was_and_taken_by_a_button(page):
    page.fill("#check-brcode", f"Pague: {GOOD[:70]}\n{GOOD[70:]}")
    expect(page.locator("#check-findings .suggestion")).to_have_text(GOOD)
    page.click("#check-findings button")
    expect_outcome(page, "Código válido.")
    expect(page.locator("#check-brcode")).to_have_value(GOOD)
