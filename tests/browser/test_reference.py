"""The API reference: our own copy of the viewer over our own description, calling nobody else."""

from __future__ import annotations

from playwright.sync_api import expect


def test_the_reference_lists_the_api(open_page):
    page = open_page("reference")
    expect(page.locator(".swagger-ui .info .title")).to_contain_text("brskills")
    expect(page.locator("[data-path='/api/v1/skills/pix']")).to_be_visible()


def test_a_call_can_be_tried_with_the_demo_key(open_page):
    page = open_page("reference")
    operation = page.locator(".opblock", has=page.locator("[data-path='/api/v1/usage']"))
    operation.get_by_role("button").first.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text("200")
