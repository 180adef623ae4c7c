"""The skill that returns the month's usage. It counts no call."""

from typing import Any

from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, never, write_plain

_SHAPES: dict[str, Shape] = {}


def _check(content: dict[str, Any]) -> None:
    if issues := check_shape(_SHAPES, content):
        raise InvalidRequest(*issues)


def _answer(_prepared: None, call: Call) -> dict[str, Any]:
    quota, history = call.session.usage()
    return {
        "plano": quota.plan,
        "mes": quota.month,
        "chamadas": quota.calls,
        "limite": quota.limit,
        "restantes": quota.remaining,
        "reinicia_em": quota.resets_at.isoformat(),
        "historico": [{"mes": month, "chamadas": calls} for month, calls in history.items()],
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.account.models import NoArguments, Usage  # imports pydantic

    return NoArguments, Usage


GET_USAGE = Skill(
    name="get_usage",
    scope="conta",
    texts=Texts(
        title="Ver o uso do mês",
        purpose="Mostra o plano, as chamadas feitas, o limite e quando a contagem reinicia, para a chave "
        "enviada, e os meses anteriores.",
        use="antes de muitas chamadas ou depois de quota_exceeded.",
        avoid="para ver os planos (GET /api/v1/plans) ou após cada chamada: os cabeçalhos X-RateLimit já "
        "informam o uso.",
        notes="Não conta como chamada.",
        english="Show this month's calls and what is left.",
        guide="""    curl -s {base}/api/v1/usage -H "X-API-Key: {key}"

`restantes` is what is left until `reinicia_em`. Not counted.""",
    ),
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    write=write_plain,
    content=dict,
    answer=_answer,
    counts=never,
    endpoints=(Endpoint("GET", "/api/v1/usage", "getUsage"),),
    example={
        "plano": "free",
        "mes": "2026-11",
        "chamadas": 28,
        "limite": 100,
        "restantes": 72,
        "reinicia_em": "2026-12-01T00:00:00-03:00",
        "historico": [{"mes": "2026-10", "chamadas": 91}],
    },
)
