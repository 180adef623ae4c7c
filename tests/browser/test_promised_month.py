"""The month beside what Pro promises, where the operator has published that promise, and nowhere else."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.test_uptime import report, showing
from tests.services.gateway import gateway

PROMISE = "https://example.com/availability"


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with gateway(SLA_URL=PROMISE, WORKERS="1") as address:
        yield f"{address}/"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("status", "novembro de 2026: 99,75% respondidas; a meta do Pro é 99,9%."),
        ("en/status", "November 2026: 99.75% answered; the target for Pro is 99.9%."),
    ],
)
def test_the_month_is_beside_the_goal_and_leads_to_the_promise(open_page, path, words):
    page = showing(open_page, report(), path)
    expect(page.locator("#uptime-sla")).to_have_text(words)
    expect(page.locator("#uptime-sla + a")).to_have_attribute("href", PROMISE)


@pytest.mark.parametrize(
    ("history", "words"), [([], "nada foi contado ainda"), (None, "desconhecida no momento")]
)
def test_a_month_without_figures_has_none(open_page, history, words):
    sla = {"meta": 0.999, "mes": "2026-11", "disponibilidade": None}
    page = showing(open_page, report(historico=history, sla=sla))
    expect(page.locator("#uptime-sla")).to_contain_text(words)
