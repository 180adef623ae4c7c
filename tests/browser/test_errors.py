"""The table of errors: what most callers meet is seen at once, the rest when it is asked for."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("width", [390, 1200])
def test_the_dozen_is_seen_and_the_others_when_they_are_unfolded(open_page, width):
    page = open_page("en", viewport={"width": width, "height": 800})
    section = page.locator("#errors")
    expect(section.locator("tbody tr").filter(visible=True)).to_have_count(12)
    expect(section.get_by_text("quota_exceeded")).to_be_visible()
    expect(section.get_by_text("insufficient_scope")).to_be_hidden()
    section.get_by_text("The other codes").click()
    expect(section.get_by_text("insufficient_scope")).to_be_visible()
