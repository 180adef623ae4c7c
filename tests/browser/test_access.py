"""For everybody: by keyboard, by screen reader, on a phone, in the dark, and light to load."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, expect

from tests.browser.reading import scan

MAX_WEIGHT = 100_000
MEASURE_SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.moved += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""
SCHEMES = ["light", "dark"]
WIDTHS = [320, 1280]


def serious_issues(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{issue['id']}: {node['html']}"
        for issue in found
        if issue["impact"] in {"serious", "critical"}
        for node in issue["nodes"]
    ]


def show_everything(page: Page) -> None:
    page.locator("#pix-form .submit button").click()
    expect(page.locator("#pix-measured")).to_contain_text("HTTP 200")
    page.click("#check-example")
    expect(page.locator("#check-findings .finding")).to_be_visible()
    page.click("#subscribe")
    page.fill("#cnpj-cnpj", "1")
    page.locator("#cnpj-form .submit button").click()
    expect(page.locator("#cnpj-cnpj-issue")).to_be_visible()
    for details in page.locator("details").all():
        details.evaluate("(element) => { element.open = true; }")


@pytest.mark.parametrize(("path", "scheme"), [("", "dark"), ("en", "light")])
def test_axe_finds_no_serious_issue(open_page, path, scheme):
    page = open_page(path, color_scheme=scheme)
    assert serious_issues(page) == []
    show_everything(page)
    assert serious_issues(page) == []


def test_axe_finds_no_serious_issue_where_an_answer_was_taken_away(open_page):
    page = open_page("en", color_scheme="dark")
    show_everything(page)
    page.fill("#pix-valor", "99")
    page.fill("#cnpj-cnpj", "SANDBOX1000170")
    page.keyboard.press("Enter")
    expect(page.locator("#cnpj-fields dl")).to_be_visible()
    page.fill("#cnpj-cnpj", "SANDBOX2000114")
    for result in ("#pix-result", "#cnpj-fields"):
        expect(page.locator(result)).to_have_attribute("data-state", "changed")
    assert serious_issues(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_no_serious_issue_in_the_reference(open_page, scheme):
    page = open_page("reference", color_scheme=scheme)
    page.locator(".opblock-summary-control").first.click()
    expect(page.locator(".opblock-body")).to_be_visible()
    assert serious_issues(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(open_page, width):
    page = open_page(viewport={"width": width, "height": 700})
    show_everything(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def tab_to(page: Page, selector: str) -> None:
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.locator(selector).evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"{selector} is out of the keyboard's reach")


def test_the_keyboard_alone_makes_a_code_and_copies_it(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("Tab")
    expect(page.get_by_text("Ir para o conteúdo")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "#pix-chave")
    page.keyboard.press("Control+A")
    page.keyboard.type("+55 11 91234-5678")
    page.keyboard.press("Enter")
    expect(page.locator("#pix-qr img")).to_be_visible()
    tab_to(page, "[data-copy=pix-code]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-copy=pix-code]")).to_have_text("Copiado")
    assert page.evaluate("navigator.clipboard.readText()") == scan(page.locator("#pix-qr"))


def test_tabs_move_by_arrows_and_only_one_is_a_stop(page):
    tabs = page.locator("#pix-samples").get_by_role("tab")
    tabs.first.focus()
    for key, name in [
        ("ArrowRight", "Python"),
        ("End", "MCP"),
        ("ArrowRight", "curl"),
        ("ArrowLeft", "MCP"),
        ("Home", "curl"),
    ]:
        page.keyboard.press(key)
        chosen = page.locator("#pix-samples [role=tab][aria-selected=true]")
        expect(chosen).to_have_text(name)
        expect(chosen).to_be_focused()
    assert page.locator("#pix-samples [role=tab][tabindex='0']").count() == 1


def test_what_happens_is_said_aloud(page):
    for region in (
        "#pix-message",
        "#check-outcome",
        "#payee-outcome",
        "#cnpj-message",
        "#key-message",
    ):
        expect(page.locator(region)).to_have_attribute("role", "status")
    expect(page.locator("#plans-message")).to_have_attribute("role", "alert")


@pytest.mark.parametrize("path", ["", "en"])
def test_a_visit_is_light_and_stays_still(browser, base, path):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.add_init_script(MEASURE_SHIFTS)
    page.goto(base + path, wait_until="networkidle")
    # As if nothing were compressed: the gateway may, and a proxy may not.
    assert sum(len(answer.body()) for answer in answers) < MAX_WEIGHT
    assert page.evaluate("window.moved") < 0.1
    context.close()
