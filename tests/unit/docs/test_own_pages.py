"""The operator's own pages are named wherever people and programs look for them; none is, unset."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from brskills_server.accounts.clients import Client
from brskills_server.accounts.grant import Terms
from brskills_server.runtime.settings import Settings
from brskills_server.web.openapi.document import document
from brskills_server.web.signin.metadata import asking_resource_metadata, resource_metadata, server_metadata
from brskills_server.web.signin.pages import Pages, Reader
from brskills_server.web.signin.redirects import Destination
from functions.oauth import app as oauth

BASE = "https://api.example.com"
GIVEN = {
    "SUPPORT_URL": "https://brskills.example/ajuda",
    "PRIVACY_URL": "https://brskills.example/privacidade?a=1&b=2",
    "TERMS_URL": "https://brskills.example/termos",
}
MAIL = "ajuda@brskills.example"
SET, UNSET = Settings.from_environment(GIVEN), Settings.from_environment({})
SETTINGS = [*GIVEN]


def told(made: dict[str, Any], standing: dict[str, Any]) -> dict[str, Any]:
    """What stands in one document and not in the other."""
    assert made.keys() >= standing.keys()
    assert all(made[name] == value for name, value in standing.items())
    return {name: value for name, value in made.items() if name not in standing}


def test_sign_ins_documents_name_policy_and_terms() -> None:
    for made in (resource_metadata, asking_resource_metadata):
        assert told(made(BASE, SET), made(BASE, UNSET)) == {
            "resource_policy_uri": GIVEN["PRIVACY_URL"],
            "resource_tos_uri": GIVEN["TERMS_URL"],
        }
        assert made(BASE, UNSET)["resource_documentation"] == UNSET.project_url
    assert told(server_metadata(BASE, SET), server_metadata(BASE, UNSET)) == {
        "op_policy_uri": GIVEN["PRIVACY_URL"],
        "op_tos_uri": GIVEN["TERMS_URL"],
    }
    assert server_metadata(BASE, UNSET)["service_documentation"] == UNSET.project_url


def test_openapi_names_where_to_get_help_and_the_terms() -> None:
    assert told(document(BASE, SET)["info"], document(BASE, UNSET)["info"]) == {
        "contact": {"url": GIVEN["SUPPORT_URL"]},
        "termsOfService": GIVEN["TERMS_URL"],
    }


def test_openapi_names_an_address_to_write_to() -> None:
    one = Settings.from_environment({"CONTACT_EMAIL": MAIL})
    assert document(BASE, one)["info"]["contact"] == {"email": MAIL}
    both = Settings.from_environment({"CONTACT_EMAIL": MAIL, **GIVEN})
    assert document(BASE, both)["info"]["contact"] == {"url": GIVEN["SUPPORT_URL"], "email": MAIL}


@pytest.mark.parametrize("given", [{}, {"CONTACT_EMAIL": MAIL}, {"SUPPORT_URL": GIVEN["SUPPORT_URL"]}])
def test_openapi_tells_of_getting_an_account_back_where_somebody_can_be_asked(given: dict[str, str]) -> None:
    made = document(BASE, Settings.from_environment(given))
    told = made["components"]["schemas"]["SignupRequest"]["properties"]["email"]["description"]
    assert ("recuperar a conta" in told) == bool(given)
    assert "{{" not in json.dumps(made)


def consent(settings: Settings, language: str) -> str:
    pages = Pages(Path(oauth.__file__).parent / "page", settings)
    client = Client(
        id="brsk_client_x", name="Assistente", redirect_uris=("https://a.example/r",), created_at=0
    )
    terms = Terms(client, frozenset({"pix"}), f"{BASE}/mcp", "https://a.example/r", "c" * 43)
    return pages.consent(Reader(BASE, language), terms, Destination("web", "a.example", "https:"), "t").body


@pytest.mark.parametrize(
    ("language", "names"),
    [("pt", ("Termos de uso", "Privacidade", "Ajuda")), ("en", ("Terms of use", "Privacy", "Help"))],
)
def test_who_is_asked_to_allow_a_program_can_read_them_first(language: str, names: tuple[str, ...]) -> None:
    page = consent(SET, language)
    for address in GIVEN.values():
        written = address.replace("&", "&amp;")
        # In another tab: whoever comes back finds the page, and a key that is shown once.
        assert f'<a href="{written}" target="_blank" rel="noopener noreferrer">' in page
    assert all(f">{name}</a>" in page for name in names)


@pytest.mark.parametrize("setting", SETTINGS)
def test_one_alone_is_shown_alone(setting: str) -> None:
    page = consent(Settings.from_environment({setting: GIVEN[setting]}), "pt")
    assert page.count('target="_blank"') == 2  # the other one leads to the list of programs


@pytest.mark.parametrize("language", ["pt", "en"])
def test_an_address_to_write_to_is_shown_where_there_is_one(language: str) -> None:
    link = f'<a href="mailto:{MAIL}">{MAIL}</a>'
    assert link in consent(Settings.from_environment({"CONTACT_EMAIL": MAIL}), language)
    assert "mailto:" not in consent(SET, language)


def test_without_any_the_page_is_as_it_was() -> None:
    page = consent(UNSET, "pt")
    assert (page.count('target="_blank"'), 'class="hint own"' in page) == (1, False)


def test_the_pages_footer_has_them() -> None:
    script = (
        "import os\n"
        "from functions.site.app import PAGES\n"
        "for address, terms in (('/', 'Termos de uso'), ('/en', 'Terms of use')):\n"
        "    footer = PAGES[address].body.partition('<footer>')[2]\n"
        "    assert f'<a href=\"https://brskills.example/termos\">{terms}</a>' in footer\n"
        "    assert 'https://brskills.example/privacidade?a=1&amp;b=2' in footer\n"
        "    assert 'https://brskills.example/ajuda' in footer\n"
    )
    environment = {**GIVEN, "PYTHONPATH": "layers/shared:."}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
