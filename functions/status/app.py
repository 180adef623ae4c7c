"""GET /api/v1/plans and /api/v1/status: open to everybody, and answering whatever fails."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from access import DEMO, PLANS, Plan, StoreUnavailable
from skills.sources import open_registry
from web import Application, Request, Response
from web.response import json_response
from web.services import Services
from web.settings import Settings

settings = Settings.from_environment()
services = Services(settings)
registry = open_registry(settings, services.client)
loop = asyncio.new_event_loop()


def plans(request: Request) -> Response:
    """The plans as data."""
    listed = [_plan(plan, request.language) for plan in PLANS.values()]
    return json_response(
        200, {"planos": listed}, Cache_Control="public, max-age=3600", Vary="Accept-Language"
    )


def status(_request: Request) -> Response:
    """How the parts are; 200 whatever it reports."""
    components = [_store(), *_providers()]
    states = {component["status"] for component in components[1:]}
    if components[0]["status"] == "down" or states == {"down"}:
        overall = "down"
    elif "down" in states or "degraded" in states:
        overall = "degraded"
    else:
        overall = "operational"
    report = {
        "status": overall,
        "componentes": components,
        "verificado_em": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return json_response(200, report, Cache_Control="public, max-age=15")


def _plan(plan: Plan, language: str) -> dict[str, Any]:
    return {
        "id": plan.id,
        "preco_usd_mes": plan.price_usd,
        "limite_mensal": settings.demo_monthly_limit if plan.id == DEMO else plan.monthly_limit,
        "chamadas_por_segundo": plan.rate,
        "por": "endereço" if plan.id == DEMO else "conta",
        "inclui": list(plan.includes_en if language == "en" else plan.includes_pt),
    }


def _store() -> dict[str, Any]:
    try:
        services.store.ping()
    except StoreUnavailable:
        return {"nome": "armazenamento", "status": "down"}
    return {"nome": "armazenamento", "status": "operational"}


def _providers() -> list[dict[str, Any]]:
    health = loop.run_until_complete(registry.health())
    return [
        {
            "nome": source.id,
            "status": _BREAKER_STATES[source.breaker],
            "ultimo_sucesso": source.last_success,
            "volta_em": source.retry_at,
        }
        for source in health
    ]


_BREAKER_STATES = {"closed": "operational", "half_open": "degraded", "open": "down"}

handler = Application(
    "status",
    {
        ("GET", "/api/v1/plans"): plans,
        ("GET", "/api/v1/status"): status,
    },
)
