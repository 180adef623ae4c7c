"""What is said of a key is said of the key in use."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held import A_WHILE, Held, problem
from tests.browser.reading import demo_key, submit_pix
from tests.browser.test_key_box import create

DEFAULT = "Conta uma chamada."


def bring(page: Page, key: str) -> None:
    page.locator("#key-own").evaluate("(details) => { details.open = true; }")
    page.fill("#own-key", key)
    page.keyboard.press("Enter")


def usage(**more: Any) -> dict[str, Any]:
    return {"body": json.dumps({"plano": "free", "chamadas": 3, "limite": 100, "restantes": 97} | more)}


@pytest.mark.parametrize("code", ["signup_limit", "network"])
def test_a_second_key_that_is_refused_is_not_said_to_be_ready(page, code):
    key = create(page)
    held = Held(page, "keys")
    page.fill("#key-email", "someone@example.com")
    page.keyboard.press("Enter")
    expect(page.locator("#key-message")).to_have_text("Um instante…")
    held[0].abort() if code == "network" else held[0].fulfill(**problem(429, code))
    expect(page.locator("#key-form .summary")).to_be_focused()
    expect(page.locator("#key-message")).to_have_text("Esta página usa a sua chave.")
    # It is shown nowhere else: it stays.
    expect(page.locator("#key-shown")).to_have_value(key)
    page.fill("#key-email", "")
    expect(page.locator("#key-form .summary")).to_be_hidden()


def test_the_address_of_a_key_cannot_change_while_it_is_issued(page):
    held = Held(page, "keys")
    page.fill("#key-email", "someone@example.com")
    page.keyboard.press("Enter")
    held[0]
    page.locator("#key-email").press("End")
    page.keyboard.type(".br")
    expect(page.locator("#key-email")).to_have_value("someone@example.com")
    held[0].abort()
    expect(page.locator("#key-form .summary")).to_be_visible()
    page.locator("#key-email").press("End")
    page.keyboard.type(".br")
    expect(page.locator("#key-email")).to_have_value("someone@example.com.br")


def test_a_quota_of_the_former_key_that_comes_late_is_not_shown(page, held):
    submit_pix(page)
    create(page)
    held.pass_on(0)
    # The code is as good as ever; what is left of the month is another's.
    expect(page.locator("#pix-qr img")).to_be_visible()
    expect(page.locator("#pix-form [data-quota]")).to_have_text(DEFAULT)


def test_an_earlier_quota_that_comes_late_is_not_shown(page):
    create(page)
    held = Held(page, "skills/*")
    submit_pix(page)
    held[0]
    page.fill("#cnpj-cnpj", "SANDBOX2000114")
    page.keyboard.press("Enter")
    held[1].fulfill(
        **problem(404, "company_not_found"),
        headers={"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "41"},
    )
    expect(page.locator("#pix-form [data-quota]")).to_contain_text("Restam 41 de 100")
    held.pass_on(0)
    expect(page.locator("#pix-qr img")).to_be_visible()
    expect(page.locator("#pix-form [data-quota]")).to_contain_text("Restam 41 de 100")


def test_the_usage_of_a_key_that_was_brought_follows_its_calls(page):
    key = create(page)
    page.reload(wait_until="networkidle")
    bring(page, key)
    month = page.locator("#key-usage")
    expect(month).to_contain_text("0 de 100")
    expect(page.locator("#pix-form [data-quota]")).to_have_text("Restam 100 de 100 chamadas neste mês.")
    submit_pix(page)
    expect(month).to_contain_text("1 de 100")
    expect(month).to_contain_text("Restam99")
    expect(page.locator("#pix-form [data-quota]")).to_have_text("Restam 99 de 100 chamadas neste mês.")


def test_of_a_key_without_a_limit_no_number_is_shown_that_could_not_follow(open_page):
    page = open_page("en")
    submit_pix(page)
    page.route("**/api/v1/usage", lambda route: route.fulfill(**usage(limite=None, restantes=None)))
    bring(page, "brsk_unlimited")
    expect(page.locator("#key-message")).to_have_text("This page uses your key.")
    expect(page.locator("#key-usage")).to_have_text("PlanFreeCalls this monthunlimited")
    expect(page.locator("#pix-form [data-quota]")).to_have_text("Counts as one call.")


def test_the_key_that_was_sent_is_taken_and_not_the_one_typed_since(page):
    held = Held(page, "usage")
    bring(page, "brsk_first")
    held[0]
    page.fill("#own-key", "brsk_second")
    held[0].fulfill(**usage())
    page.wait_for_timeout(A_WHILE)
    expect(page.locator("#key-shown")).to_have_value(demo_key(page))
    expect(page.locator("#own-key")).to_have_value("brsk_second")
    page.keyboard.press("Enter")
    held[1].fulfill(**usage())
    expect(page.locator("#key-shown")).to_have_value("brsk_second")


def test_a_key_issued_meanwhile_is_not_put_away(page):
    held = Held(page, "usage")
    bring(page, "brsk_first")
    held[0]
    key = create(page)
    held[0].fulfill(**usage())
    page.wait_for_timeout(A_WHILE)
    expect(page.locator("#key-shown")).to_have_value(key)
    expect(page.locator("#key-message")).to_contain_text("Sua chave está pronta")


def test_another_key_takes_a_refusal_away_and_leaves_what_was_answered(page):
    submit_pix(page)
    expect(page.locator("#pix-qr img")).to_be_visible()
    page.route("**/api/v1/skills/cnpj", lambda route: route.fulfill(**problem(429, "quota_exceeded")))
    page.locator("#cnpj-form .submit button").click()
    summary = page.locator("#cnpj-form .summary")
    expect(summary).to_be_visible()
    create(page)
    expect(summary).to_be_hidden()
    # A code does not depend on the caller.
    expect(page.locator("#pix-qr img")).to_be_visible()


def test_a_refusal_of_the_former_key_that_comes_late_is_not_shown(page, held):
    submit_pix(page)
    create(page)
    held[0].fulfill(**problem(429, "quota_exceeded"))
    page.wait_for_timeout(A_WHILE)
    expect(page.locator("#pix-form .summary")).to_be_hidden()
    expect(page.locator("#key-shown")).to_be_focused()
