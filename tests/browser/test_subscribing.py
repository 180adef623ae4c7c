"""Who pays is whose key is in use."""

import pytest
from playwright.sync_api import expect

from tests.browser.held import A_WHILE, Held, problem
from tests.browser.test_key_box import create


def test_what_was_said_of_subscribing_goes_with_the_key(page):
    page.click("#subscribe")
    expect(page.locator("#plans-message")).to_be_visible()
    create(page)
    expect(page.locator("#plans-message")).to_be_hidden()
    held = Held(page, "billing/checkout")
    page.click("#subscribe")
    held[0].abort()
    expect(page.locator("#plans-message")).to_be_visible()
    page.click("#subscribe")
    held[1]
    expect(page.locator("#plans-message")).to_be_hidden()


@pytest.mark.parametrize("code", [None, "already_subscribed"])
def test_nobody_is_led_to_pay_for_the_former_key(page, code):
    first = create(page)
    checkout, portal = Held(page, "billing/checkout"), Held(page, "billing/portal")
    page.click("#subscribe")
    checkout[0]
    page.locator("#key-form .submit button").click()
    expect(page.locator("#key-shown")).not_to_have_value(first)
    checkout[0].fulfill(**problem(409, code) if code else {"body": '{"url": "en"}'})
    if code == "already_subscribed":
        assert portal[0].request.headers["x-api-key"] == first
        portal[0].fulfill(body='{"url": "en"}')
    page.wait_for_timeout(A_WHILE)
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    expect(page.locator("#plans-message")).to_be_hidden()
