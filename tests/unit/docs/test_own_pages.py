"""The operator's pages appear in every document if they are set."""

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


def added(made: dict[str, Any], unset: dict[str, Any]) -> dict[str, Any]:
    """Return the members that one document has and the other has not."""
    assert made.keys() >= unset.keys()
    assert all(made[name] == value for name, value in unset.items())
    return {name: value for name, value in made.items() if name not in unset}


def test_sign_in_metadata_has_policy_and_terms() -> None:
    for made in (resource_metadata, asking_resource_metadata):
        assert added(made(BASE, SET), made(BASE, UNSET)) == {
            "resource_policy_uri": GIVEN["PRIVACY_URL"],
            "resource_tos_uri": GIVEN["TERMS_URL"],
        }
        assert made(BASE, UNSET)["resource_documentation"] == UNSET.project_url
    assert added(server_metadata(BASE, SET), server_metadata(BASE, UNSET)) == {
        "op_policy_uri": GIVEN["PRIVACY_URL"],
        "op_tos_uri": GIVEN["TERMS_URL"],
    }
    assert server_metadata(BASE, UNSET)["service_documentation"] == UNSET.project_url


def test_openapi_has_support_and_terms() -> None:
    assert added(document(BASE, SET)["info"], document(BASE, UNSET)["info"]) == {
        "contact": {"url": GIVEN["SUPPORT_URL"]},
        "termsOfService": GIVEN["TERMS_URL"],
    }


def test_openapi_has_the_contact() -> None:
    one = Settings.from_environment({"CONTACT_EMAIL": MAIL})
    assert document(BASE, one)["info"]["contact"] == {"email": MAIL}
    both = Settings.from_environment({"CONTACT_EMAIL": MAIL, **GIVEN})
    assert document(BASE, both)["info"]["contact"] == {"url": GIVEN["SUPPORT_URL"], "email": MAIL}


@pytest.mark.parametrize("given", [{}, {"CONTACT_EMAIL": MAIL}, {"SUPPORT_URL": GIVEN["SUPPORT_URL"]}])
def test_openapi_mentions_recovery_if_there_is_a_contact(given: dict[str, str]) -> None:
    made = document(BASE, Settings.from_environment(given))
    description = made["components"]["schemas"]["SignupRequest"]["properties"]["email"]["description"]
    assert ("recuperar a conta" in description) == bool(given)
    assert "{{" not in json.dumps(made)
