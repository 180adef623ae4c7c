"""The service's plans and its health check. The state of its parts: ``status``."""

from collections.abc import Callable
from typing import Any, NamedTuple

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.plans import PLANS, Plan

_SHARED_BY = {
    "conta": {
        "pt": "Cada conta tem ritmo próprio uns 20 minutos depois de entrar no plano; até lá está em um de "
        "{groups} grupos.",
        "en": "Each account gets its own rate about 20 minutes after it joins the plan; until then it shares "
        "one of {groups} groups.",
    },
    "grupo": {
        "pt": "As contas formam {groups} grupos, e cada grupo divide um ritmo.",
        "en": "Accounts are divided into {groups} groups; each group shares one rate.",
    },
    "todos": {
        "pt": "Todos os que usam a chave pública dividem um ritmo.",
        "en": "All users of the public key share one rate.",
    },
}


class Deployment(NamedTuple):
    """The facts of a deployment that plans depend on.

    ``demo_limit``: 0 without a demo key; ``sold``: whether Pro is sold; ``render``: of
    ``brskills_server.runtime.features.Features``; an address may be empty.
    """

    demo_limit: int
    sold: bool
    render: Callable[[str], str]
    contact_email: str = ""
    support_url: str = ""
    sla_url: str = ""


def plans(language: str, deployment: Deployment) -> dict[str, Any]:
    """Return the plans that this deployment offers, as ``models.Plans``."""
    offered = [plan for plan in PLANS.values() if plan.id != DEMO or deployment.demo_limit]
    return {
        "planos": [_shown(plan, language, deployment) for plan in offered],
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
        "empresas_vigiadas": plan.watches,
        "inclui": [line for text in includes if (line := deployment.render(text))],
        "assinavel": bool(plan.price_usd) and deployment.sold,
    }


def health(ping_store: Callable[[], None]) -> dict[str, str]:
    """Return ``models.Health`` if a call can be counted, else raise ``StoreUnavailable``."""
    ping_store()
    return {"status": "ok"}
