"""The requests of the company skills, for schemas and tools; the skills themselves check by ``shape``."""

from typing import Annotated

from pydantic import BaseModel, Field, SkipValidation

from brskills_server.skills.batch import FEW_ITEMS, MAX_ITEMS, PARTIAL
from brskills_server.skills.validation import WholeNumber

_CNPJ_FORM = r"^[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}$"
"""The form of a CNPJ in schemas; ``registry.registry`` validates it."""


Number = Annotated[
    str | int,
    Field(
        description="CNPJ com ou sem máscara, também alfanumérico. Um inteiro JSON é completado com zeros, um texto nunca.",
        examples=["SANDBOX1000170"],
        json_schema_extra={
            "anyOf": [
                {"type": "string", "pattern": _CNPJ_FORM},
                {"type": "integer", "minimum": 0, "maximum": 10**14 - 1},
            ]
        },
    ),
    WholeNumber,
]
MaxAge = Annotated[
    int | None,
    Field(
        ge=0,
        le=10**9,
        description="Idade máxima da consulta, em segundos; se não for atendida, a resposta é 503, nunca um "
        "dado mais antigo.",
        examples=[3600],
    ),
    WholeNumber,
]
MaxDataAge = Annotated[
    int | None,
    Field(
        ge=0,
        le=10**9,
        description="Idade máxima dos dados, em dias desde data_base; se não for atendida, a resposta é 503, "
        "nunca um dado mais antigo.",
        examples=[7],
    ),
    WholeNumber,
]


class CompanyRequest(BaseModel, extra="forbid"):
    """Qual empresa, e quão recente deve ser a resposta."""

    cnpj: Number
    idade_maxima: MaxAge = None
    idade_dados_maxima: MaxDataAge = None


_NUMBERS = "Números como o de uma empresa só; um repetido é consultado e contado uma vez."


class CompaniesRequest(BaseModel, extra="forbid"):
    """Quais empresas, e quão recentes devem ser as respostas."""

    cnpjs: SkipValidation[list[str | int]] = Field(description=_NUMBERS, min_length=1, max_length=MAX_ITEMS)
    idade_maxima: MaxAge = None
    idade_dados_maxima: MaxDataAge = None
    parcial: bool = Field(False, description=PARTIAL)


class FewCompaniesRequest(CompaniesRequest):
    """O mesmo, para menos empresas."""

    cnpjs: SkipValidation[list[str | int]] = Field(description=_NUMBERS, min_length=1, max_length=FEW_ITEMS)
