"""What callers are told of a company, for schemas: ``brskills_server.registry.answer`` writes it without this model."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from brskills_server.registry.company import Record

__all__ = ["Company"]


class Company(Record):
    """Uma empresa do cadastro nacional (CNPJ) e a procedência do registro."""

    consultado_em: datetime = Field(
        description="Quando a fonte respondeu (UTC).", examples=["2026-11-20T12:00:00Z"]
    )
    idade_segundos: Annotated[int, Field(ge=0)] = Field(
        description="Segundos desde consultado_em.", examples=[3600]
    )
    desatualizado: bool = Field(
        description="True quando as fontes falharam e o registro é mais velho do que o prazo.",
        examples=[False],
    )
