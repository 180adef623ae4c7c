"""Request and result of the usage skill, for schemas."""

from pydantic import BaseModel, ConfigDict, Field


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
