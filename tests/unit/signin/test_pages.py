"""The consent page: complete in both languages, links to the operator's pages, readable colours."""

import re
from pathlib import Path

import pytest

from brskills_server.accounts.clients import Client
from brskills_server.accounts.grant import Terms
from brskills_server.runtime.settings import Settings
from brskills_server.skills.catalogue import SCOPES
from brskills_server.web.signin.consent import ISSUES
from brskills_server.web.signin.pages import PageContext, Pages
from brskills_server.web.signin.redirects import destination_of
from functions.oauth import app

FOLDER = Path(app.__file__).parent / "templates"
BASE = "https://api.example.com"
GIVEN = {
    "SUPPORT_URL": "https://brskills.example/ajuda",
    "PRIVACY_URL": "https://brskills.example/privacidade?a=1&b=2",
    "TERMS_URL": "https://brskills.example/termos",
}
MAIL = "ajuda@brskills.example"
REDIRECTS = ("https://a.example/r", "http://127.0.0.1/r", "com.example.app:/r")


def consent(settings: dict[str, str], language: str, redirect: str = REDIRECTS[0], **outcome: str) -> str:
    pages = Pages(FOLDER, Settings.from_environment(settings))
    client = Client(id="brsk_client_x", name="Assistente", redirect_uris=(redirect,), created_at=0)
    terms = Terms(client, frozenset(SCOPES), f"{BASE}/mcp", redirect, "c" * 43)
    destination = destination_of(redirect)
    assert destination is not None
    return str(pages.consent(PageContext(BASE, language), terms, destination, "t", **outcome).body)


@pytest.mark.parametrize("language", ["pt", "en"])
def test_every_issue_and_destination_has_a_text(language: str) -> None:
    issues = {*ISSUES.values(), "other"}
    pages = [consent({}, language, issue=issue) for issue in issues]
    assert len({re.search('<p id="issue">(.*)</p>', page)[1] for page in pages}) == len(issues)
    assert len({consent({}, language, redirect) for redirect in REDIRECTS}) == len(REDIRECTS)


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_operators_pages_open_in_another_tab(language: str) -> None:
    """A key that is shown once stays on the page."""
    page = consent(GIVEN, language)
    for address in GIVEN.values():
        written = address.replace("&", "&amp;")
        assert f'<a href="{written}" target="_blank" rel="noopener noreferrer">' in page
    assert "mailto:" not in page


@pytest.mark.parametrize("setting", GIVEN)
def test_a_page_that_is_not_set_is_not_linked(setting: str) -> None:
    page = consent({setting: GIVEN[setting]}, "pt")
    assert page.count('target="_blank"') == 2  # the other one leads to the list of programs
    assert consent({}, "pt").count('target="_blank"') == 1


def test_the_contact_address_is_shown() -> None:
    assert f'<a href="mailto:{MAIL}">{MAIL}</a>' in consent({"CONTACT_EMAIL": MAIL}, "en")
