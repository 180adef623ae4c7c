"""The page where the operator alone gives keys: it offers none, and works with one that is brought."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.reading import submit_pix
from tests.browser.test_key_answer import bring
from tests.services.gateway import ROOT, gateway

ASK = (
    "As chaves são fornecidas pelo operador deste serviço: peça a sua.",
    "Keys are issued by the operator of this service: ask for yours.",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('closed')}/brskills.db"


@pytest.fixture(scope="module")
def base(place: str) -> Iterator[str]:
    with gateway(STORE=place, SIGNUPS_PER_DAY="0", DEMO_MONTHLY_LIMIT="0", WORKERS="1") as address:
        yield f"{address}/"


def opened(place: str) -> str:
    """The key of an account that the operator opens."""
    environment = {**os.environ, "PYTHONPATH": f"layers/shared:{Path.cwd()}", "STORE": place}
    command = [sys.executable, "-m", "brskills_server.admin", "open", "free"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    (key,) = (word for word in done.stdout.split() if word.startswith("brsk_"))
    return key


@pytest.mark.parametrize(
    ("path", "placeholder", "words", "asked"),
    [
        ("", "SUA_CHAVE", "Usar a minha chave", f"{ASK[0]} Pergunte a quem administra este endereço."),
        ("en", "YOUR_KEY", "Use my key", f"{ASK[1]} Ask the operator of this address."),
    ],
)
def test_without_a_key_the_page_says_where_one_goes(open_page, path, placeholder, words, asked):
    page = open_page(path)
    expect(page.locator("#key-form")).to_have_count(0)
    expect(page.locator("#pix-samples-code")).to_contain_text(f"X-API-Key: {placeholder}'")
    expect(page.locator("#cnpj-form .summary")).to_be_hidden()
    assert page.locator("#key .about").text_content() == asked
    submit_pix(page)
    expect(page.locator("#pix-form .summary a")).to_have_text(words)
    page.click("#check-example")
    expect(page.locator("#check-form .summary a")).to_have_text(words)


def test_a_key_that_is_brought_serves_for_all(page, place):
    key = opened(place)
    bring(page, key)
    expect(page.locator("#key-message")).to_have_text("Esta página usa a sua chave.")
    expect(page.locator("#key-usage")).to_contain_text("0 de 100")
    expect(page.locator("#pix-samples-code")).to_contain_text(key)
    submit_pix(page)
    expect(page.locator("#pix-measured")).to_contain_text("HTTP 200")
    page.click("#check-example")
    expect(page.locator("#check-outcome")).to_have_text("Código inválido.")
