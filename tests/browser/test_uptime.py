"""The status: parts in words, days as bars and as a table, and what is not known as unknown."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_access import serious_issues

NOON = "2026-11-20T12:00:00Z"
PARTS = [
    {"nome": "armazenamento", "status": "operational", "ultimo_sucesso": NOON},
    {"nome": "pix", "status": "operational", "ultimo_sucesso": NOON},
    {"nome": "cnpj", "status": "degraded", "ultimo_sucesso": "2026-11-20T11:58:31Z"},
    {"nome": "opencnpj", "status": "down", "ultimo_sucesso": None},
    {"nome": "brasilapi", "status": "unknown", "ultimo_sucesso": None},
    {"nome": "cnpja", "status": "something new", "ultimo_sucesso": None},
]
DAYS = [
    {"dia": "2026-08-22", "chamadas": 9, "falhas": 9, "disponibilidade": 0.0},  # the ninety-first
    {"dia": "2026-08-23", "chamadas": 13, "falhas": 1, "disponibilidade": 0.923},
    {"dia": "2026-11-17", "chamadas": 0, "falhas": 0, "disponibilidade": None},
    {"dia": "2026-11-18", "chamadas": 1000, "falhas": 100, "disponibilidade": 0.9},
    {"dia": "2026-11-19", "chamadas": 41250, "falhas": 3, "disponibilidade": 0.9999},
    {"dia": "2026-11-20", "chamadas": 200, "falhas": 1, "disponibilidade": 0.995},
]


def report(**more: Any) -> dict[str, Any]:
    return {
        "status": "degraded", "componentes": PARTS, "verificado_em": NOON, "historico": DAYS,
        "sla": {"meta": 0.999, "mes": "2026-11", "disponibilidade": 0.9975}, **more,
    }  # fmt: skip


def showing(open_page: Any, status: dict[str, Any] | None, path: str = "status", **options: Any) -> Page:
    page = open_page(path, **options)
    answer(page, status)
    return page


def answer(page: Page, status: dict[str, Any] | None, kind: str | None = None) -> None:
    """Let the page ask again, and be answered so; `None` is no answer at all."""
    page.unroute("**/api/v1/status")
    page.route("**/api/v1/status", lambda route: route.fulfill(json=status) if status else route.abort())
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    kind = kind or (status["status"] if status else "unknown")
    expect(page.locator("#status")).to_have_attribute("data-kind", kind)


def test_parts_are_in_words_in_brasilias_time_with_the_sources_folded(open_page):
    page = showing(open_page, report(), timezone_id="Asia/Tokyo")
    expect(page.locator("#uptime-parts > li")).to_have_text(
        [
            re.compile("^PixOperandoÚltimo sucesso: 20 de nov.*09:00$"),
            re.compile("^CNPJCom falhasÚltimo sucesso: .*08:58$"),
            re.compile("^ArmazenamentoOperando"),
        ]
    )
    sources = page.locator("#uptime-sources > li")
    expect(sources.first).to_be_hidden()
    page.get_by_text("Fontes do cadastro").click()
    expect(sources).to_have_text(
        ["opencnpjSem responder agora", "brasilapiSem dados ainda", "cnpjaSem dados ainda"]
    )
    expect(page.locator("#status-text")).to_have_text("Operando com instabilidade")


def state(part: str, status: str) -> dict[str, Any]:
    return {"nome": part, "status": status, "ultimo_sucesso": None}


@pytest.mark.parametrize(
    ("parts", "words", "kind"),
    [
        ({"armazenamento": "operational", "pix": "operational", "cnpj": "operational", "cnpja": "unknown"},
         "Todos os serviços operando", "operational"),
        ({"pix": "operational", "cnpj": "operational", "opencnpj": "down"},
         "Operando; veja o estado de cada componente", "operational"),
        ({"pix": "operational", "cnpj": "unknown", "opencnpj": "degraded"},
         "Operando; veja o estado de cada componente", "operational"),
        ({"armazenamento": "operational", "pix": "operational", "cnpj": "unknown"},
         "Pix operando; CNPJ sem consultas recentes", "unknown"),
    ],
)  # fmt: skip
def test_a_fresh_installation_is_grey_and_a_failing_source_is_named(open_page, parts, words, kind):
    parts = [state(*part) for part in parts.items()]
    page = open_page("status")
    answer(page, report(status="operational", componentes=parts), kind)
    expect(page.locator("#status-text")).to_have_text(words)


def test_there_is_a_bar_a_day_and_none_without_calls_is_green(open_page):
    page = showing(open_page, report())
    bars = page.locator("#uptime-days rect")
    expect(bars).to_have_count(90)
    kinds = bars.evaluate_all("(bars) => bars.map((bar) => bar.getAttribute('class'))")
    assert kinds[0] == "warned"  # one failure of a few calls
    assert kinds[-4:] == ["none", "bad", "good", "warned"]
    assert kinds[1:-4] == ["none"] * 85
    heights = bars.evaluate_all("(bars) => bars.map((bar) => Number(bar.getAttribute('height')))")
    assert heights[-3] < heights[-1] < heights[-2]
    assert heights[-4] < heights[-3]
    assert bars.nth(88).locator("title").text_content() == (
        "19 de nov. de 2026: 41.250 chamadas, 3 com falha nossa, 99,99% respondidas"
    )
    assert bars.nth(86).locator("title").text_content() == "17 de nov. de 2026: sem chamadas"
    colours = {bars.nth(at).evaluate("(bar) => getComputedStyle(bar).fill") for at in (86, 87, 88, 89)}
    assert len(colours) == 4


def test_a_screen_reader_gets_a_summary_and_a_table(open_page):
    page = showing(open_page, report(), "en/status")
    summary = "Days with calls: 4 of 90. Calls: 42,463, of which 105 failed on our side."
    expect(page.locator("#uptime-message")).to_have_text(summary)
    expect(page.get_by_role("img", name=summary)).to_be_visible()
    page.get_by_text("The same days as a table").click()
    rows = page.locator("#uptime-table tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_have_text("Nov 20, 2026200199.5%")


@pytest.mark.parametrize(
    "status", [None, {"status": "operational", "componentes": PARTS[:3], "historico": None}]
)
def test_what_could_not_be_read_is_unknown(open_page, status):
    page = showing(open_page, report())
    expect(page.locator("#uptime-days rect")).to_have_count(90)
    answer(page, status)
    expect(page.locator("#uptime-message")).to_contain_text("Desconhecido")
    expect(page.locator("#uptime-days rect")).to_have_count(0)
    if status is None:
        expect(page.locator("#status-text")).to_have_text("Não foi possível verificar o serviço")


@pytest.mark.parametrize(("scheme", "width"), [("dark", 360), ("light", 1200)])
def test_axe_finds_no_serious_issue_and_nothing_is_too_wide(open_page, scheme, width):
    page = showing(open_page, report(), color_scheme=scheme, viewport={"width": width, "height": 800})
    page.locator("#uptime-table summary").click()
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
