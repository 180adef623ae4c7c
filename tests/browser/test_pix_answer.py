"""A Pix code is shown only beside the values it holds: anything else would be paid."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held import Held, problem
from tests.browser.reading import calls_of, demo_key, scan, submit_pix

FIELDS = {"chave": "outra@exemplo.com.br", "valor": "99", "tipo_chave": "email", "estrito": "true"}
PROBLEMS = {
    "422": problem(422, "invalid_fields", errors=[{"campo": "valor", "code": "x", "detail": "Errado."}]),
    "quota": problem(429, "quota_exceeded"),
    "html": {"status": 502, "content_type": "text/html", "body": "<p>Bad gateway"},
    "network": None,
}


def put(page: Page, field: str, value: str) -> None:
    control = page.locator(f"#pix-{field}")
    page.locator("#pix-form details").evaluate("(details) => { details.open = true; }")
    if field == "estrito":
        control.set_checked(bool(value))
    elif field in {"tipo_chave", "uso_unico"}:
        control.select_option(value)
    else:
        control.fill(value)


def expect_code(page: Page, part: str = "") -> None:
    expect(page.locator("#pix-code")).to_have_value(re.compile(f"^000201.*{re.escape(part)}"))
    code = page.locator("#pix-code").input_value()
    assert scan(page.locator("#pix-qr")) == code
    expect(page.locator("#pix-answer")).to_contain_text(code)
    expect(page.locator("#pix-result")).to_have_attribute("aria-busy", "false")
    for button in page.locator("#pix-result .picture :is(button, select)").all():
        expect(button).to_be_enabled()


def expect_no_code(page: Page, said: str | None = None) -> None:
    expect(page.locator("#pix-qr img")).to_have_count(0)
    expect(page.locator("#pix-code")).to_have_value("")
    expect(page.locator("#pix-answer")).not_to_contain_text("000201")
    expect(page.locator("#pix-notes")).to_be_empty()
    for button in page.locator("#pix-result .picture :is(button, select)").all():
        expect(button).to_be_disabled()
    if said is not None:
        expect(page.locator("#pix-message")).to_have_text(said)
        expect(page.locator("#pix-qr")).to_have_text(said)


@pytest.mark.parametrize("field", FIELDS)
def test_an_edit_takes_the_code_away_and_undoing_it_brings_it_back(page, base, field):
    submit_pix(page)
    expect_code(page)
    before, spent = page.locator(f"#pix-{field}").input_value(), calls_of(base, demo_key(page))
    put(page, field, FIELDS[field])
    expect_no_code(page, "Os valores mudaram. Gere o código de novo.")
    put(page, field, "" if field == "estrito" else before)
    expect_code(page)
    assert calls_of(base, demo_key(page)) == spent


def test_the_same_values_written_otherwise_are_the_same(page):
    submit_pix(page)
    page.fill("#pix-valor", " R$ 49.90 ")
    expect_code(page, "540549.90")


def test_while_the_api_works_nothing_is_shown(page, held):
    submit_pix(page)
    expect_no_code(page, "Um instante…")
    expect(page.locator("#pix-result")).to_have_attribute("aria-busy", "true")
    held.pass_on(0)
    expect_code(page)
    submit_pix(page)
    expect_no_code(page, "Um instante…")
    held.pass_on(1)
    expect_code(page)


def test_an_answer_to_former_values_is_not_shown_until_they_are_back(page, held):
    submit_pix(page)
    page.fill("#pix-valor", "99")
    expect_no_code(page, "Os valores mudaram. Gere o código de novo.")
    expect(page.locator("#pix-form .submit button")).not_to_have_attribute("aria-disabled", "true")
    held.pass_on(0)
    expect_no_code(page)
    page.fill("#pix-valor", "49,90")
    expect_code(page, "540549.90")


def test_of_two_under_way_the_later_counts_though_the_earlier_answers_last(page, held):
    submit_pix(page)
    page.fill("#pix-valor", "99")
    submit_pix(page)
    held.pass_on(1)
    expect_code(page, "540599.00")
    held.pass_on(0)
    expect_code(page, "540599.00")


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_refusal_leaves_no_code_and_goes_with_the_next_edit(page, name):
    submit_pix(page)
    expect_code(page)
    held = Held(page, "skills/pix")
    page.fill("#pix-valor", "99")
    submit_pix(page)
    answer = PROBLEMS[name]
    held[0].fulfill(**answer) if answer else held[0].abort()
    summary = page.locator("#pix-form .summary")
    expect(summary).to_be_focused()
    expect_no_code(page, "Sem resultado: veja o erro no formulário.")
    page.fill("#pix-valor", "98")
    expect(summary).to_be_hidden()
    expect(page.locator("#pix-valor")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#pix-valor")).to_be_focused()
    expect_no_code(page, "")


def test_a_refusal_of_former_values_is_not_shown(page, held):
    submit_pix(page)
    page.fill("#pix-valor", "99")
    held[0].fulfill(**problem(429, "quota_exceeded"))
    assert held.count_after_a_while() == 1
    expect(page.locator("#pix-form .summary")).to_be_hidden()
    expect(page.locator("#pix-valor")).to_be_focused()


def test_a_refusal_does_not_take_the_focus_from_elsewhere(page, held):
    submit_pix(page)
    page.locator("#cnpj-cnpj").focus()
    held[0].abort()
    expect(page.locator("#pix-form .summary")).to_be_visible()
    expect(page.locator("#pix-message")).to_have_text("Sem resultado: veja o erro no formulário.")
    expect(page.locator("#cnpj-cnpj")).to_be_focused()


def test_a_press_asks_once(page, held):
    button = page.locator("#pix-form .submit button")
    button.dblclick()
    held.pass_on(0)
    expect_code(page)
    # The second click of a double click may come after the answer to the first, and so may a held key's.
    box = button.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert held.count_after_a_while() == 1
    page.locator("#pix-valor").focus()
    page.keyboard.down("Enter")
    held.pass_on(1)
    page.keyboard.down("Enter")
    assert held.count_after_a_while() == 2
    page.keyboard.up("Enter")
    submit_pix(page)
    held.pass_on(2)
    expect_code(page)
