"""The service itself: its plans, and whether it can count a call. How its parts are: ``skills.status``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from pydantic import BaseModel, Field

from access import DEMO, PLANS
from access import Plan as PlanTerms

__all__ = ["Deployment", "Health", "Plans", "health", "plans"]

_SHARED_BY = {
    "conta": {
        "pt": "Cada conta tem ritmo próprio uns 20 minutos depois de entrar no plano; até lá está em um de "
        "{lanes} grupos.",
        "en": "An account has its own rate some 20 minutes after it came to the plan; until then it is in "
        "one of {lanes} groups.",
    },
    "grupo": {
        "pt": "As contas formam {lanes} grupos, e cada grupo divide um ritmo.",
        "en": "The accounts form {lanes} groups, and each group shares one rate.",
    },
    "todos": {
        "pt": "Todos os que usam a chave pública dividem um ritmo.",
        "en": "Everybody who uses the public key shares one rate.",
    },
}


class Plan(BaseModel):
    """Um plano."""

    id: str = Field(examples=["free"])
    preco_usd_mes: int | None = Field(description="Dólares por mês; null é sob consulta.")
    limite_mensal: int | None = Field(description="Chamadas por mês; null é sem limite.")
    chamadas_por_segundo: int = Field(
        description="Na nuvem, em todas as rotas com chave, menos /mcp, cujo ritmo é um só para todos; com o "
        "mês esgotado, as rotas que contam vão mais devagar. O gateway local (make run) não limita ritmo."
    )
    por: str = Field(description="A quem limite_mensal se aplica: conta ou endereço.")
    ritmo_por: Literal["conta", "grupo", "todos"] = Field(
        description="De quem é chamadas_por_segundo: da conta, de um grupo fixo de contas, ou de todos os "
        "que usam a chave."
    )
    ritmo_detalhe: str = Field(description="O mesmo em uma frase, no idioma de quem pergunta.")
    ausencias_gratis: int | None = Field(
        description="Empresas não encontradas sem confirmação que não contam, por mês; null é todas."
    )
    inclui: list[str] = Field(
        description="O que mais o plano dá. Suporte e disponibilidade só aparecem onde quem opera este "
        "serviço publicou um contato e um compromisso."
    )
    assinavel: bool = Field(description="Se este plano se assina aqui, por createCheckout.")


class Contact(BaseModel):
    """Como falar com quem opera este serviço; null é o que não há."""

    email: str | None
    pagina: str | None


class Plans(BaseModel):
    """Os planos."""

    planos: list[Plan]
    contato: Contact
    disponibilidade_url: str | None = Field(
        description="O texto do compromisso de disponibilidade; null: não há nenhum."
    )


class Health(BaseModel):
    """O serviço pode contar uma chamada agora."""

    status: Literal["ok"]


class Deployment(NamedTuple):
    """What the plans depend on: calls of the demo key (0: there is none), whether Pro is sold, addresses.

    ``choose`` is that of ``wiring.offers.Offers``; an empty address is none.
    """

    demo_limit: int
    sold: bool
    choose: Callable[[str], str]
    contact_email: str = ""
    support_url: str = ""
    sla_url: str = ""


def plans(language: str, deployment: Deployment) -> Plans:
    """The plans as data, with what this deployment can keep of them; without a demo key, that plan is not."""
    there = [plan for plan in PLANS.values() if plan.id != DEMO or deployment.demo_limit]
    return Plans(
        planos=[_shown(plan, language, deployment) for plan in there],
        contato=Contact(email=deployment.contact_email or None, pagina=deployment.support_url or None),
        disponibilidade_url=deployment.sla_url or None,
    )


def _shown(plan: PlanTerms, language: str, deployment: Deployment) -> Plan:
    includes = plan.includes_en if language == "en" else plan.includes_pt
    is_demo = plan.id == DEMO
    shared_by = "todos" if is_demo else "conta" if plan.is_paid else "grupo"
    return Plan(
        id=plan.id,
        preco_usd_mes=plan.price_usd,
        limite_mensal=deployment.demo_limit if is_demo else plan.monthly_limit,
        chamadas_por_segundo=plan.rate,
        por="endereço" if is_demo else "conta",
        ritmo_por=shared_by,
        ritmo_detalhe=_SHARED_BY[shared_by][language].format(lanes=plan.lanes),
        ausencias_gratis=plan.free_absences,
        inclui=[told for text in includes if (told := deployment.choose(text))],
        assinavel=bool(plan.price_usd) and deployment.sold,
    )


def health(ping_store: Callable[[], None]) -> Health:
    """That a call could be counted; ``ping_store`` raises ``StoreUnavailable`` where it could not."""
    ping_store()
    return Health(status="ok")
