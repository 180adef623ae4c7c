"""The operator's own pages are named wherever people and programs look for them; none is, unset."""

from __future__ import annotations

import json
from typing import Any

import pytest

from brskills_server.runtime.settings import Settings
from brskills_server.web.openapi.document import document
from brskills_server.web.signin.metadata import asking_resource_metadata, resource_metadata, server_metadata

BASE = "https://api.example.com"
GIVEN = {
    "SUPPORT_URL": "https://brskills.example/ajuda",
    "PRIVACY_URL": "https://brskills.example/privacidade?a=1&b=2",
    "TERMS_URL": "https://brskills.example/termos",
}
MAIL = "ajuda@brskills.example"
SET, UNSET = Settings.from_environment(GIVEN), Settings.from_environment({})


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
