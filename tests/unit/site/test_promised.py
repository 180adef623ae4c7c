"""The page promises what the plans promise, and only what the deployment's settings make true."""

import re

import pytest

from brskills_server.runtime.settings import Settings
from brskills_server.skills.service.plans import Deployment, plans
from tests.unit.site.serving import body_with

GIVEN = {
    "CONTACT_EMAIL": "ajuda@brskills.example",
    "SUPPORT_URL": "https://brskills.example/ajuda?a=1&b=2",
    "SLA_URL": "https://brskills.example/disponibilidade?a=1&b=2",
    "STRIPE_PRICE_PRO": "price_1",
}
SETTINGS = [{}, *({name: GIVEN[name]} for name in ("CONTACT_EMAIL", "SUPPORT_URL")), GIVEN]
RECOVERY = {"pt": "recuperar a conta", "en": "recover the account"}


def cards(body: str) -> dict[str, str]:
    section = body.partition('<ul class="plans">')[2].partition("</section>")[0]
    return {
        name.lower(): card for name, card in re.findall(r"<h3>(\w+)</h3>(.*?)(?=<h3>|$)", section, re.DOTALL)
    }


@pytest.mark.parametrize("given", SETTINGS, ids=lambda given: "+".join(given) or "none")
def test_the_page_promises_what_the_plans_do(given: dict[str, str]) -> None:
    settings = Settings.from_environment(given)
    deployment = Deployment(20, settings.features.sold, settings.features.render)
    for language, address in (("pt", "/"), ("en", "/en")):
        body = body_with(given, address)
        found = cards(body)
        for plan in plans(language, deployment)["planos"]:
            if plan["id"] == "demo":
                continue
            items = re.findall(r"<li>(?:<a [^>]*>)?(.*?)(?:</a>)?</li>", found[plan["id"]])
            assert items[1:] == plan["inclui"], (language, plan["id"])  # the first is the month's calls
        assert ('id="subscribe"' in found["pro"]) == ("STRIPE_PRICE_PRO" in given)
        assert ("/disponibilidade?a=1&amp;b=2" in found["pro"]) == ("SLA_URL" in given)
        can_contact = bool(given.keys() & {"CONTACT_EMAIL", "SUPPORT_URL"})
        assert ("<a " in found["enterprise"]) == can_contact
        assert (RECOVERY[language] in body) == can_contact
        assert ("mailto:ajuda@brskills.example" in found["enterprise"]) == ("CONTACT_EMAIL" in given)


@pytest.mark.parametrize(
    ("given", "link"),
    [
        ({}, ""),
        ({"CONTACT_EMAIL": GIVEN["CONTACT_EMAIL"]}, 'href="mailto:ajuda@brskills.example"'),
        ({"SUPPORT_URL": GIVEN["SUPPORT_URL"]}, 'href="https://brskills.example/ajuda?a=1&amp;b=2"'),
    ],
)
def test_an_internal_error_names_the_support_contact(given: dict[str, str], link: str) -> None:
    row = re.search("<code>internal_error</code>.*", body_with(given, "/"))[0]
    assert link in row
    assert ("<a " in row) == bool(link)


def test_the_footer_links_to_the_operators_pages() -> None:
    pages = {"TERMS_URL": "https://brskills.example/termos", "PRIVACY_URL": "https://brskills.example/p?a&b"}
    footer = body_with({**GIVEN, **pages}, "/").partition("<footer>")[2]
    assert re.findall('<a href="((?:mailto|https)[^"]+)">', footer)[1:] == [
        "https://brskills.example/termos",
        "https://brskills.example/p?a&amp;b",
        "https://brskills.example/disponibilidade?a=1&amp;b=2",
        "https://brskills.example/ajuda?a=1&amp;b=2",
        "mailto:ajuda@brskills.example",
    ]
