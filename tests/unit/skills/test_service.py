"""The plans as a deployment offers them, and health."""

import re

import pytest

from brskills_server.accounts.plans import PLANS
from brskills_server.runtime.settings import Settings
from brskills_server.skills.service.models import Health, Plans
from brskills_server.skills.service.plans import Deployment, health, plans
from tests.for_each import for_each
from tests.unit.skills.modelled import as_modelled

MAIL, HELP, SLA = "ajuda@brskills.example", "https://brskills.example/ajuda", "https://brskills.example/sla"


def deployment(**given: str) -> Deployment:
    settings = Settings.from_environment(given)
    return Deployment(
        settings.demo_monthly_limit,
        settings.features.sold,
        settings.features.render,
        settings.contact_email,
        settings.support_url,
        settings.sla_url,
    )


ALONE = deployment()


def test_the_rate_of_a_plan_and_who_shares_it() -> None:
    listed = plans("pt", ALONE)["planos"]
    assert {
        plan["id"]: (plan["ritmo_por"], plan["por"], plan["chamadas_por_segundo"]) for plan in listed
    } == {
        "free": ("grupo", "conta", PLANS["free"].rate),
        "pro": ("conta", "conta", PLANS["pro"].rate),
        "enterprise": ("conta", "conta", PLANS["enterprise"].rate),
        "demo": ("todos", "endereço", PLANS["demo"].rate),
    }
    for portuguese, english in zip(listed, plans("en", ALONE)["planos"], strict=True):
        groups = PLANS[portuguese["id"]].throttle_groups
        is_shared = portuguese["ritmo_por"] != "todos"
        assert (f"{groups} grupos" in portuguese["ritmo_detalhe"]) == is_shared
        assert (f"{groups} groups" in english["ritmo_detalhe"]) == is_shared
        assert portuguese["ritmo_detalhe"] != english["ritmo_detalhe"]


@for_each(
    ("given", "language", "free", "pro", "enterprise"),
    [
        ({}, "pt", [], [], []),
        ({"PROJECT_URL": HELP}, "en", [], [], []),
        ({"CONTACT_EMAIL": MAIL}, "en", [], ["e-mail support"], ["dedicated support"]),
        ({"SUPPORT_URL": HELP}, "pt", ["suporte da comunidade"], ["suporte"], ["suporte dedicado"]),
        ({"SLA_URL": SLA}, "en", [], ["99.9% availability"], []),
    ],
)
def test_a_plan_promises_what_is_configured(
    given: dict[str, str], language: str, free: list[str], pro: list[str], enterprise: list[str]
) -> None:
    listed = plans(language, deployment(**given))
    promised = {
        plan["id"]: [text for text in plan["inclui"] if re.search("s[uo]p+ort|99|disponib", text)]
        for plan in listed["planos"]
    }
    assert promised == {"free": free, "pro": pro, "enterprise": enterprise, "demo": []}
    assert all(text and "{{" not in text for plan in listed["planos"] for text in plan["inclui"])
    assert listed["contato"] == {"email": given.get("CONTACT_EMAIL"), "pagina": given.get("SUPPORT_URL")}
    assert listed["disponibilidade_url"] == given.get("SLA_URL")
    assert as_modelled(Plans, listed)


@pytest.mark.parametrize("given", [{}, {"STRIPE_PRICE_PRO": "price_1"}])
def test_pro_can_be_subscribed_to_where_it_is_sold(given: dict[str, str]) -> None:
    listed = plans("pt", deployment(**given))
    assert {plan["id"] for plan in listed["planos"] if plan["assinavel"]} == ({"pro"} if given else set())


def test_health_fits_its_model() -> None:
    assert as_modelled(Health, health(lambda: None))
