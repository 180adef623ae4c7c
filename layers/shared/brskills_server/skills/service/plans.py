"""The service itself: its plans, and whether it can count a call. How its parts are: ``brskills_server.skills.service.status``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.plans import PLANS, Plan

__all__ = ["Deployment", "health", "plans"]

_SHARED_BY = {
    "conta": {
        "pt": "Cada conta tem ritmo próprio uns 20 minutos depois de entrar no plano; até lá está em um de "
        "{groups} grupos.",
        "en": "An account has its own rate some 20 minutes after it came to the plan; until then it is in "
        "one of {groups} groups.",
    },
    "grupo": {
        "pt": "As contas formam {groups} grupos, e cada grupo divide um ritmo.",
        "en": "The accounts form {groups} groups, and each group shares one rate.",
    },
    "todos": {
        "pt": "Todos os que usam a chave pública dividem um ritmo.",
        "en": "Everybody who uses the public key shares one rate.",
    },
}


class Deployment(NamedTuple):
    """What the plans depend on: calls of the demo key (0: there is none), whether Pro is sold, addresses.

    ``render`` is that of ``brskills_server.runtime.features.Features``; an empty address is none.
    """

    demo_limit: int
    sold: bool
    render: Callable[[str], str]
    contact_email: str = ""
    support_url: str = ""
    sla_url: str = ""


def plans(language: str, deployment: Deployment) -> dict[str, Any]:
    """The plans, as ``service_models.Plans``, with what this deployment can keep of them.

    Without a demo key that plan is left out.
    """
    there = [plan for plan in PLANS.values() if plan.id != DEMO or deployment.demo_limit]
    return {
        "planos": [_shown(plan, language, deployment) for plan in there],
        "contato": {"email": deployment.contact_email or None, "pagina": deployment.support_url or None},
        "disponibilidade_url": deployment.sla_url or None,
    }


def _shown(plan: Plan, language: str, deployment: Deployment) -> dict[str, Any]:
    includes = plan.includes_en if language == "en" else plan.includes_pt
    is_demo = plan.id == DEMO
    shared_by = "todos" if is_demo else "conta" if plan.is_paid else "grupo"
    return {
        "id": plan.id,
        "preco_usd_mes": plan.price_usd,
        "limite_mensal": deployment.demo_limit if is_demo else plan.monthly_limit,
        "chamadas_por_segundo": plan.rate,
        "por": "endereço" if is_demo else "conta",
        "ritmo_por": shared_by,
        "ritmo_detalhe": _SHARED_BY[shared_by][language].format(groups=plan.throttle_groups),
        "ausencias_gratis": plan.free_absences,
        "inclui": [told for text in includes if (told := deployment.render(text))],
        "assinavel": bool(plan.price_usd) and deployment.sold,
    }


def health(ping_store: Callable[[], None]) -> dict[str, str]:
    """That a call could be counted, as ``service_models.Health``.

    ``ping_store`` raises ``StoreUnavailable`` where it could not.
    """
    ping_store()
    return {"status": "ok"}
