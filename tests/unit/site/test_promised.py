"""What the page promises and offers is what the plans say, and that what settings make true."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from brskills_server.runtime.settings import Settings
from brskills_server.skills.service.plans import Deployment, plans
from functions.site.app import HERE
from tests.services.gateway import ROOT
from tests.unit.site.built import answered

GIVEN = {
    "CONTACT_EMAIL": "ajuda@brskills.example",
    "SUPPORT_URL": "https://brskills.example/ajuda?a=1&b=2",
    "SLA_URL": "https://brskills.example/disponibilidade?a=1&b=2",
    "STRIPE_PRICE_PRO": "price_1",
}
SETTINGS = [
    {name: GIVEN[name] for name in names} for n in range(5) for names in itertools.combinations(GIVEN, n)
]
RECOVERY = {"pt": "recuperar a conta", "en": "recover the account"}


def cards(body: str) -> dict[str, str]:
    section = body.partition('<ul class="plans">')[2].partition("</section>")[0]
    return {
        name.lower(): card for name, card in re.findall(r"<h3>(\w+)</h3>(.*?)\n</li>", section, re.DOTALL)
    }


@pytest.mark.parametrize("given", SETTINGS, ids=lambda given: "+".join(given) or "none")
def test_the_page_promises_what_the_plans_do(given: dict[str, str]) -> None:
    settings = Settings.from_environment(given)
    deployment = Deployment(20, settings.offers.sold, settings.offers.choose)
    for language, answer in zip(("pt", "en"), answered(given, "/", "/en"), strict=True):
        found = cards(answer["body"])
        for plan in plans(language, deployment)["planos"]:
            if plan["id"] == "demo":
                continue
            items = re.findall(r"<li>(?:<a [^>]*>)?(.*?)(?:</a>)?</li>", found[plan["id"]])
            assert items[1:] == plan["inclui"], (language, plan["id"])  # the first is the month's calls
        assert ('id="subscribe"' in found["pro"]) == ("STRIPE_PRICE_PRO" in given)
        assert ('href="https://brskills.example/disponibilidade?a=1&amp;b=2"' in found["pro"]) == (
            "SLA_URL" in given
        )
        reached = bool(given.keys() & {"CONTACT_EMAIL", "SUPPORT_URL"})
        assert ("<a " in found["enterprise"]) == reached
        assert (RECOVERY[language] in answer["body"]) == reached
        assert ("mailto:ajuda@brskills.example" in found["enterprise"]) == ("CONTACT_EMAIL" in given)


@pytest.mark.parametrize("address", ["/", "/en"])
def test_who_meets_a_fault_of_ours_is_told_whom_to_tell(address: str) -> None:
    def row(given: dict[str, str]) -> str:
        return re.search("<code>internal_error</code>.*", answered(given, address)["body"])[0]

    assert "<a " not in row({})
    assert 'href="mailto:ajuda@brskills.example"' in row({"CONTACT_EMAIL": GIVEN["CONTACT_EMAIL"]})
    assert 'href="https://brskills.example/ajuda?a=1&amp;b=2"' in row({"SUPPORT_URL": GIVEN["SUPPORT_URL"]})


def test_the_footer_names_the_address_and_the_text_on_availability() -> None:
    footer = answered(GIVEN, "/")["body"].partition("<footer>")[2]
    assert '<a href="mailto:ajuda@brskills.example">ajuda@brskills.example</a>' in footer
    assert '<a href="https://brskills.example/disponibilidade?a=1&amp;b=2">Disponibilidade</a>' in footer


PROMISE = re.compile(
    "plan_|plans_|description$|hero_(title|lead|sample)|agents_first|key_(about|email_hint|warning)|check_hint|footer_trackers|.*_(about|counts)$"
)
NONE = re.compile(".*_(action|title)$")


def test_every_promise_stands_in_the_table_with_what_makes_it_true() -> None:
    texts = json.loads((HERE / "texts" / "pt.json").read_text("utf-8"))["page"]
    promises = {
        name for name in texts if PROMISE.match(name) and (name == "hero_title" or not NONE.match(name))
    }
    rows = re.findall(
        r"^\| [^|]+ \| ([^|]+) \|", (ROOT / "docs" / "promises.md").read_text("utf-8"), re.MULTILINE
    )
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == promises


def test_what_a_setting_makes_true_is_marked_by_it() -> None:
    for language in ("pt", "en"):
        texts = json.loads((HERE / "texts" / f"{language}.json").read_text("utf-8"))["page"]
        for name, words in texts.items():
            if re.search(r"suporte|support\b|disponibilidade|availability|recuperar|recover", words):
                assert "{{#" in words or name == "footer_sla", (language, name)
