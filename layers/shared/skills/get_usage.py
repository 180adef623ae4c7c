"""The skill that tells how the month stands. Never counted."""

from pydantic import BaseModel, ConfigDict, Field

from skills.skill import Call, Endpoint, Skill, Texts, never

__all__ = ["GET_USAGE", "Usage"]


class NoArguments(BaseModel):
    """Nada a informar."""

    model_config = ConfigDict(extra="forbid")


class MonthOfCalls(BaseModel):
    """As chamadas de um mês passado."""

    mes: str
    chamadas: int


class Usage(BaseModel):
    """O mês da conta."""

    plano: str
    mes: str = Field(description="Mês corrente em America/Sao_Paulo.", examples=["2026-11"])
    chamadas: int
    limite: int | None
    restantes: int | None
    reinicia_em: str = Field(description="Quando a contagem recomeça, ISO 8601.")
    historico: list[MonthOfCalls] = Field(description="Meses anteriores, até 13.")


def _answer(_request: NoArguments, call: Call) -> Usage:
    quota, history = call.session.usage()
    return Usage(
        plano=quota.plan,
        mes=quota.month,
        chamadas=quota.calls,
        limite=quota.limit,
        restantes=quota.remaining,
        reinicia_em=quota.resets_at.isoformat(),
        historico=[MonthOfCalls(mes=month, chamadas=calls) for month, calls in history.items()],
    )


GET_USAGE = Skill(
    name="get_usage",
    scope="conta",
    texts=Texts(
        title="Ver o uso do mês",
        purpose="Mostra plano, chamadas feitas, limite e quando a contagem recomeça, da chave enviada, e os meses "
        "anteriores.",
        use="antes de muitas chamadas ou depois de quota_exceeded.",
        avoid="para ver os planos (GET /api/v1/plans), nem após cada chamada: os cabeçalhos X-RateLimit já dizem.",
        notes="Não conta chamadas.",
        english="Show this month's calls and what is left.",
        guide="""    curl -s {base}/api/v1/usage -H "X-API-Key: {key}"

`restantes` is what is left until `reinicia_em`. Not counted.""",
    ),
    request=NoArguments,
    result=Usage,
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
