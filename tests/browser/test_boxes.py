"""The box that checks codes, the CNPJ box, the samples and the status line."""

import json
import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.reading import calls_of, demo_key, scan, unfold
from tests.services.gateway import ROOT


def test_opening_the_page_shows_a_company_and_spends_nothing(page, base):
    before = calls_of(base, demo_key(page))
    page.reload(wait_until="networkidle")
    expect(page.locator("#cnpj-name")).to_have_text("EMPRESA DE EXEMPLO LTDA")
    expect(page.locator("#cnpj-fields")).to_contain_text("JOANA DE EXEMPLO")
    assert scan(page.locator("#pix-qr")) == page.locator("#pix-code").input_value()
    assert calls_of(base, demo_key(page)) == before


@pytest.mark.parametrize(
    ("cnpj", "said"),
    [
        ("SANDBOX5000158", "Tente de novo em"),
        ("123", "Corrija para continuar"),
    ],
)
def test_a_company_that_is_not_shown_is_explained(page, cnpj, said):
    page.fill("#cnpj-cnpj", cnpj)
    page.keyboard.press("Enter")
    expect(page.locator("#cnpj-form .summary")).to_contain_text(said)


@pytest.mark.parametrize(("box", "shown"), [("pix", "000201"), ("cnpj", "EMPRESA DE EXEMPLO LTDA")])
def test_the_python_sample_runs_as_it_is_written(page, box, shown):
    if box == "cnpj":
        unfold(page, "#cnpj-samples")
    page.locator(f"#{box}-samples").get_by_role("tab", name="Python").click()
    sample = page.locator(f"#{box}-samples-code").text_content() or ""
    places = os.pathsep.join(str(ROOT / place) for place in ("clients/python/src", "layers/shared"))
    done = subprocess.run(
        [sys.executable, "-c", sample],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(shown)


def test_samples_follow_the_form_in_every_language(page):
    page.fill("#pix-nome_recebedor", "Bar d'Água")
    page.locator("#pix-form summary").click()
    page.check("#pix-estrito")
    samples, code = page.locator("#pix-samples"), page.locator("#pix-samples-code")
    expect(code).to_contain_text(r"Bar d'\''Água")
    samples.get_by_role("tab", name="Python").click()
    expect(code).to_contain_text("estrito=True,")
    samples.get_by_role("tab", name="TypeScript").click()
    expect(code).to_contain_text('"estrito": true')
    samples.get_by_role("tab", name="JavaScript").click()
    expect(code).to_contain_text('"valor": "49.90"')
    samples.get_by_role("tab", name="MCP").click()
    server = json.loads(code.text_content() or "")["mcpServers"]["brskills"]
    assert server["url"] == re.sub(r"#.*", "", page.url) + "mcp"
    assert server["headers"] == {"X-API-Key": demo_key(page)}


def test_the_first_call_of_the_page_works_as_it_stands(open_page, base):
    import shlex
    import urllib.request

    command = shlex.split(
        (open_page().locator("#pix-samples-code").text_content() or "").replace("\\\n", " ")
    )
    options = list(zip(command[2::2], command[3::2], strict=True))
    headers = dict(value.split(": ") for option, value in options if option == "-H")
    (body,) = (value for option, value in options if option == "-d")
    request = urllib.request.Request(command[1], body.encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert json.load(answer)["brcode"].startswith("000201")
