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
    return dict(re.findall(r'id="plan-(\w+)">(.*?)(?=<li class="card|</section>)', body, re.DOTALL))


@pytest.mark.parametrize("given", SETTINGS, ids=lambda given: "+".join(given) or "none")
def test_the_page_promises_what_the_plans_do(given: dict[str, str]) -> None:
    settings = Settings.from_environment(given)
    deployment = Deployment(20, settings.features.sold, settings.features.render)
    for language, address in (("pt", "/pricing"), ("en", "/en/pricing")):
        found = cards(body_with({"STRIPE_PRICE_PRO": "price_1", **given}, address))
        for plan in plans(language, deployment)["planos"]:
            if plan["id"] == "demo":
                continue
            items = re.findall(r'<li class="included">(?:<a [^>]*>)?(.*?)(?:</a>)?</li>', found[plan["id"]])
            assert items == plan["inclui"], (language, plan["id"])
        assert ("/disponibilidade?a=1&amp;b=2" in found["pro"]) == ("SLA_URL" in given)
        can_contact = bool(given.keys() & {"CONTACT_EMAIL", "SUPPORT_URL"})
        assert ("<a " in found["enterprise"]) == can_contact
        assert ("mailto:ajuda@brskills.example" in found["enterprise"]) == ("CONTACT_EMAIL" in given)
        assert (RECOVERY[language] in body_with(given, "/" if language == "pt" else "/en")) == can_contact


def test_without_a_price_there_is_no_price_list_and_nothing_to_subscribe() -> None:
    for address in ("/", "/en", "/pricing", "/en/pricing"):
        body = body_with({}, address)
        assert 'class="price"' not in body
        assert "#subscription" not in body
        assert 'id="subscribe"' not in body


@pytest.mark.parametrize(("given", "shown"), [({}, False), ({"PRO_PRICE_BRL": "270"}, True)])
def test_reais_are_shown_where_they_are_set(given: dict[str, str], shown: bool) -> None:
    assert (
        "cerca de R$\u00a0270 por mês" in body_with({"STRIPE_PRICE_PRO": "p", **given}, "/pricing")
    ) == shown


def test_the_footer_links_to_the_operators_pages() -> None:
    pages = {"TERMS_URL": "https://brskills.example/termos", "PRIVACY_URL": "https://brskills.example/p?a&b"}
    footer = body_with({**GIVEN, **pages}, "/").partition("<footer>")[2]
    assert re.findall('<a href="((?:mailto|https)[^"]+)">', footer)[-5:] == [
        "https://brskills.example/p?a&amp;b",
        "https://brskills.example/termos",
        "https://brskills.example/disponibilidade?a=1&amp;b=2",
        "https://brskills.example/ajuda?a=1&amp;b=2",
        "mailto:ajuda@brskills.example",
    ]
