"""From the form to a QR that a camera reads, counted once; issues at their fields, counted never."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import calls_of, demo_key, scan, submit_pix, unfold


def code_of(page: Page) -> str:
    expect(page.locator("#pix-code")).to_have_value(re.compile("^000201"))
    return page.locator("#pix-code").input_value()


@pytest.mark.parametrize("path", ["", "en"])
def test_the_form_as_it_opens_makes_a_code_that_a_camera_reads(open_page, path):
    page = open_page(path)
    submit_pix(page)
    code = code_of(page)
    assert "5916Padaria Sao Joao6009Sao Paulo" in code
    assert "540549.90" in code
    assert scan(page.locator("#pix-qr")) == code


@pytest.mark.parametrize(("scheme", "width"), [("dark", 320), ("light", 1280)])
def test_a_long_code_is_read_on_any_screen(open_page, scheme, width):
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.fill("#pix-chave", "123e4567-e89b-12d3-a456-426655440000")
    unfold(page, "#pix-descricao")
    page.fill("#pix-descricao", "Pedido 42 do balcao")
    submit_pix(page)
    code = code_of(page)
    assert scan(page.locator("#pix-qr")) == code


@pytest.mark.parametrize(("typed", "written"), [("1.234,5", "54071234.50"), ("R$ 10", "540510.00")])
def test_amounts_may_be_written_the_brazilian_way(page, typed, written):
    page.fill("#pix-valor", typed)
    submit_pix(page)
    assert written in code_of(page)


@pytest.mark.parametrize(("path", "heading"), [("", "Corrija para continuar"), ("en", "Please correct")])
def test_issues_are_shown_at_their_fields_and_nothing_is_counted(open_page, base, path, heading):
    page = open_page(path)
    before = calls_of(base, demo_key(page))
    page.fill("#pix-chave", "111.444.777-00")
    page.fill("#pix-nome_recebedor", "")
    page.locator("#pix-form summary").click()
    page.fill("#pix-mcc", "12")
    page.locator("#pix-form summary").click()
    submit_pix(page)
    summary = page.locator("#pix-form .summary")
    expect(summary).to_contain_text(heading)
    expect(summary).to_be_focused()
    for field in ("chave", "nome_recebedor", "mcc"):
        control = page.locator(f"#pix-{field}")
        expect(control).to_have_attribute("aria-invalid", "true")
        expect(control).to_have_attribute("aria-describedby", f"pix-{field}-hint pix-{field}-issue")
        expect(page.locator(f"#pix-{field}-issue")).to_be_visible()
    expect(page.locator("#pix-cidade")).not_to_have_attribute("aria-invalid", "true")
    summary.get_by_role("link").last.click()
    expect(page.locator("#pix-mcc")).to_be_focused()
    assert calls_of(base, demo_key(page)) == before


def test_typing_is_checked_freely(page, base):
    before = calls_of(base, demo_key(page))
    page.fill("#pix-chave", "pix@")
    page.keyboard.press("Tab")
    issue = page.locator("#pix-chave-issue")
    expect(issue).to_be_visible()
    page.fill("#pix-chave", "pix@exemplo.com.br")
    expect(issue).to_have_count(0)
    expect(page.locator("#pix-form [aria-invalid]")).to_have_count(0)
    assert calls_of(base, demo_key(page)) == before


@pytest.mark.parametrize("typed", ["49,900", "quarenta", "99.999.999.999,00"])
def test_no_text_asks_for_a_decimal_point(page, typed):
    page.fill("#pix-valor", typed)
    submit_pix(page)
    issue = page.locator("#pix-valor-issue")
    expect(issue).to_contain_text(re.compile("vírgula|9.999.999.999,99"))
    expect(issue).not_to_contain_text(re.compile(r"ponto|\b\d+\.\d\d\b"))


MARKS = "\u200b\ufeff\u2060\xa0 \u202a"


def test_what_nobody_sees_at_the_ends_of_a_value_is_left_out(page):
    for field, value in (("chave", "pix@exemplo.com.br"), ("valor", "10,00"), ("txid", "PEDIDO42")):
        page.evaluate(
            "([id, value]) => { const c = document.getElementById(id); c.value = value; "
            "c.dispatchEvent(new Event('input', {bubbles: true})) }",
            [f"pix-{field}", f"{MARKS}{value}{MARKS}"],
        )
    submit_pix(page)
    code = code_of(page)
    assert "pix@exemplo.com.br" in code
    assert "PEDIDO42" in code


def test_a_probable_slip_is_shown_beside_the_code(page):
    page.fill("#pix-chave", "(11) 3265-4321")
    submit_pix(page)
    code_of(page)
    expect(page.locator("#pix-notes .finding")).to_contain_text("telefone_fixo")
    expect(page.locator("#pix-message")).to_contain_text("telefone fixo")
    page.fill("#pix-chave", "(11) 93265-4321")
    submit_pix(page)
    code_of(page)
    expect(page.locator("#pix-notes .finding")).to_have_count(0)


def test_a_used_up_month_leads_to_a_key(page):
    problem = '{"code": "quota_exceeded", "detail": "A cota acabou."}'
    page.route("**/api/v1/skills/pix", lambda route: route.fulfill(status=429, body=problem))
    submit_pix(page)
    summary = page.locator("#pix-form .summary")
    expect(summary).to_contain_text("A cota acabou.")
    expect(summary.get_by_role("link")).to_have_attribute("href", "#key")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
@pytest.mark.parametrize(
    ("width", "height", "unfolded"), [(390, 844, False), (390, 844, True), (1280, 800, True)]
)
def test_the_picture_is_within_sight_once_made_and_the_focus_stays(
    open_page, width, height, unfolded, motion
):
    page = open_page(viewport={"width": width, "height": height}, reduced_motion=motion)
    if unfolded:
        page.locator("#pix-form summary").click()
    page.locator("#pix-valor").fill("12,00")
    button = page.get_by_role("button", name="Gerar")
    button.click()
    expect(page.locator("#pix-qr img")).to_be_in_viewport(ratio=1)
    expect(button).to_be_focused()
    bar = page.locator(".bar").bounding_box()
    page.wait_for_function(
        "([place, top]) => document.querySelector(place).getBoundingClientRect().top >= top",
        arg=["#pix-qr", bar["height"] if bar["y"] == 0 else 0],
    )
    page.locator("#pix-valor").fill("13,00")
    page.evaluate("scrollTo(0, 0)")
    page.locator("#pix-valor").fill("12,00")  # the same answer again does not move the page
    expect(page.locator("#pix-qr img")).to_be_visible()
    page.wait_for_function("scrollY === 0")
