"""A key is issued, shown once, used by the page and kept nowhere."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.reading import calls_of, demo_key


def create(page: Page) -> str:
    page.locator("#key-form button").click()
    expect(page.locator("#key-message")).to_contain_text("Sua chave está pronta")
    key = page.locator("#key-shown").input_value()
    assert re.fullmatch(r"brsk_\w{30,}", key)
    assert key != demo_key(page)
    return key


def test_a_key_is_issued_and_used(page, base):
    key = create(page)
    expect(page.locator("#key-shown")).to_be_focused()
    expect(page.locator("#pix-samples-code")).to_contain_text(key)
    page.locator("#pix-form .submit button").click()
    expect(page.locator("#pix-form [data-quota]")).to_have_text("Restam 99 de 100 chamadas neste mês.")
    assert calls_of(base, key) == 1


def test_a_key_is_kept_nowhere(page):
    key = create(page)
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])"
    assert key not in page.evaluate(kept)
    page.reload(wait_until="networkidle")
    expect(page.locator("#key-shown")).to_have_value(demo_key(page))


def test_a_wrong_key_is_refused_at_its_field(page):
    page.get_by_text("Já tenho uma chave").click()
    page.fill("#own-key", "brsk_no_such_key")
    page.keyboard.press("Enter")
    expect(page.locator("#own-key-issue")).to_have_text(
        "Esta chave não existe ou foi revogada. Confira se a copiou inteira."
    )
    expect(page.locator("#key-shown")).to_have_value(demo_key(page))


@pytest.mark.parametrize(
    ("path", "said", "unsaid"),
    [("", "Envie sua chave", "Send your API key"), ("en", "Send your API key", "Envie sua chave")],
)
def test_a_problem_of_the_gateway_is_shown_in_the_pages_language(open_page, path, said, unsaid):
    page = open_page(path)
    page.route("**/api/v1/skills/cnpj", _without_key)
    page.route("**/api/v1/skills/cnpj/*", _without_key)
    page.locator("#cnpj-form .submit button").click()
    summary = page.locator("#cnpj-form .summary")
    expect(summary).to_contain_text(said)
    expect(summary).not_to_contain_text(unsaid)


def _without_key(route: Route) -> None:
    """Send the call on as it is, but for its key."""
    headers = {name: value for name, value in route.request.headers.items() if name != "x-api-key"}
    route.continue_(headers=headers)


def test_subscribing_asks_for_a_key_of_ones_own_and_then_goes_to_the_processor(page):
    page.click("#subscribe")
    expect(page.locator("#plans-message")).to_contain_text("crie antes a sua chave")
    create(page)
    page.route(
        "**/billing/checkout", lambda route: route.fulfill(status=409, body='{"code": "already_subscribed"}')
    )
    page.route("**/billing/portal", lambda route: route.fulfill(body='{"url": "en"}'))
    page.click("#subscribe")
    page.wait_for_url("**/en")
