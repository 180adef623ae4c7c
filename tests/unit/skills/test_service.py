"""What the service says of itself: who shares which rate."""

from __future__ import annotations

import pytest

from access import PLANS
from skills.service import plans


def test_a_plan_says_by_whom_its_rate_is_shared() -> None:
    listed = {plan.id: plan for plan in plans("pt", 20).planos}
    assert {name: plan.ritmo_por for name, plan in listed.items()} == {
        "free": "grupo",
        "pro": "conta",
        "enterprise": "conta",
        "demo": "todos",
    }
    assert {name: plan.por for name, plan in listed.items()} == {
        **dict.fromkeys(("free", "pro", "enterprise"), "conta"),
        "demo": "endereço",
    }
    assert {name: plan.chamadas_por_segundo for name, plan in listed.items()} == {
        plan.id: plan.rate for plan in PLANS.values()
    }


@pytest.mark.parametrize(("language", "word"), [("pt", "grupos"), ("en", "groups")])
def test_the_sentence_is_in_the_callers_language_and_has_the_number_of_groups(
    language: str, word: str
) -> None:
    for plan in plans(language, 20).planos:
        if plan.ritmo_por != "todos":
            assert f"{PLANS[plan.id].lanes} {word}" in plan.ritmo_detalhe
    sentences = [{plan.ritmo_detalhe for plan in plans(name, 20).planos} for name in ("pt", "en")]
    assert not sentences[0] & sentences[1]
