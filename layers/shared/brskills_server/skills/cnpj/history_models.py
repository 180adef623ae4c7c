"""The request and the answer of the history of a company, for schemas and tools."""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from brskills_server.registry.company import (
    Atividade,
    CodigoDescricao,
    Endereco,
    OpcaoTributaria,
    SituacaoCadastral,
    Socio,
)
from brskills_server.skills.cnpj.models import Number

_Value = (
    str
    | SituacaoCadastral
    | CodigoDescricao
    | Endereco
    | OpcaoTributaria
    | Atividade
    | list[Atividade]
    | list[Socio]
    | None
)


class HistoryRequest(BaseModel, extra="forbid"):
    """O histórico de qual empresa."""

    cnpj: Number


class Mudanca(BaseModel):
    """Um campo do cadastro que mudou de uma cópia para a seguinte."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data_base: date = Field(
        description="Data da primeira cópia que diz o valor novo.", examples=["2026-10-10"]
    )
    campo: Literal[
        "registro", "razao_social", "nome_fantasia", "situacao_cadastral", "natureza_juridica", "porte",
        "capital_social", "cnae_principal", "cnaes_secundarios", "endereco", "simples", "mei", "socios",
    ] = Field(
        description="Campo do cadastro; registro, se o CNPJ entrou na cópia ou saiu dela.",
        examples=["razao_social"],
    )  # fmt: skip
    de: _Value = Field(
        description="Valor anterior, na forma do cadastro; em socios, quem saiu; em registro, null.",
        examples=["EMPRESA DE EXEMPLO ME"],
    )
    para: _Value = Field(
        description="Valor novo, na forma do cadastro; em socios, quem entrou; em registro, novo ou ausente.",
        examples=["EMPRESA DE EXEMPLO LTDA"],
    )


class CompanyHistory(BaseModel):
    """O que as cópias mensais do cadastro disseram de diferente de uma empresa."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cnpj: str = Field(
        description="CNPJ sem máscara.", pattern=r"^[0-9A-Z]{12}\d{2}$", examples=["33000167000101"]
    )
    desde: date = Field(description="Data da cópia mais antiga comparada.", examples=["2025-09-13"])
    data_base: date = Field(description="Data da cópia atual.", examples=["2026-10-10"])
    mudancas: list[Mudanca] = Field(description="Mudanças, da mais recente à mais antiga.")
