"""What the service says of itself: who shares which rate, and what a deployment can keep of its plans."""

import re

import pytest

from brskills_server.accounts.plans import PLANS
from brskills_server.runtime.settings import Settings
from brskills_server.skills.service.models import Health, Plans
from brskills_server.skills.service.plans import Deployment, health, plans
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


def test_a_plan_says_by_whom_its_rate_is_shared() -> None:
    listed = {plan["id"]: plan for plan in plans("pt", ALONE)["planos"]}
    assert {name: plan["ritmo_por"] for name, plan in listed.items()} == {
        "free": "grupo",
        "pro": "conta",
        "enterprise": "conta",
        "demo": "todos",
    }
    assert {name: plan["por"] for name, plan in listed.items()} == {
        **dict.fromkeys(("free", "pro", "enterprise"), "conta"),
        "demo": "endereço",
    }
    assert {name: plan["chamadas_por_segundo"] for name, plan in listed.items()} == {
        plan.id: plan.rate for plan in PLANS.values()
    }


@pytest.mark.parametrize(("language", "word"), [("pt", "grupos"), ("en", "groups")])
def test_the_sentence_is_in_the_callers_language_and_has_the_number_of_groups(
    language: str, word: str
) -> None:
    for plan in plans(language, ALONE)["planos"]:
        if plan["ritmo_por"] != "todos":
            assert f"{PLANS[plan['id']].throttle_groups} {word}" in plan["ritmo_detalhe"]
    sentences = [{plan["ritmo_detalhe"] for plan in plans(name, ALONE)["planos"]} for name in ("pt", "en")]
    assert not sentences[0] & sentences[1]


@pytest.mark.parametrize(
    ("given", "language", "free", "pro", "enterprise"),
    [
        ({}, "pt", [], [], []),
        ({"PROJECT_URL": HELP}, "en", [], [], []),
        ({"CONTACT_EMAIL": MAIL}, "en", [], ["e-mail support"], ["dedicated support"]),
        ({"SUPPORT_URL": HELP}, "pt", ["suporte da comunidade"], ["suporte"], ["suporte dedicado"]),
        ({"SLA_URL": SLA}, "en", [], ["99.9% availability"], []),
    ],
)
def test_a_plan_promises_what_there_is_something_to_keep_it_by(
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
def test_only_pro_is_subscribed_to_and_only_where_it_is_sold(given: dict[str, str]) -> None:
    listed = plans("pt", deployment(**given))
    assert {plan["id"] for plan in listed["planos"] if plan["assinavel"]} == ({"pro"} if given else set())


def test_health_is_what_its_model_says() -> None:
    assert as_modelled(Health, health(lambda: None))
