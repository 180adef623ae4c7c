"""Request and result of the usage skill, for schemas."""

from pydantic import BaseModel, Field


class NoArguments(BaseModel, extra="forbid"):
    """Nada a informar."""


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
    reinicia_em: str = Field(description="Quando a contagem reinicia, ISO 8601.")
    historico: list[MonthOfCalls] = Field(description="Meses anteriores, até 13.")
