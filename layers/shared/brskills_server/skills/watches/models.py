"""Requests and answers of watched companies, for schemas and tools; the skills check by ``shape``."""

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, Field, RootModel, SkipValidation

from brskills_server.skills.cnpj.history_models import Mudanca
from brskills_server.skills.cnpj.models import Number
from brskills_server.skills.validation import WholeNumber
from brskills_server.skills.watches.listed import DEFAULT_LIMIT, MOST_LIMIT
from brskills_server.skills.watches.wanted import MOST_ITEMS, MOST_REFERENCE, REFERENCE_FORM

_Reference = Annotated[
    str | None,
    Field(
        max_length=MOST_REFERENCE,
        description="A sua referência, com até 100 caracteres; outra a substitui, vazia a apaga.",
        examples=["fornecedor 1"],
        json_schema_extra={"pattern": REFERENCE_FORM},
    ),
]


def _limit_list(schema: dict[str, Any]) -> None:
    schema["anyOf"][0] |= {"minItems": 1, "maxItems": MOST_ITEMS}


class WatchItem(BaseModel, extra="forbid"):
    """Uma empresa a monitorar."""

    cnpj: Number
    referencia: _Reference = None


class WatchRequest(BaseModel, extra="forbid"):
    """A empresa a monitorar, ou uma lista em cnpjs."""

    cnpj: Annotated[str | int | None, WholeNumber] = Field(
        None, description="CNPJ com ou sem máscara, também alfanumérico.", examples=["SANDBOX1000170"]
    )
    referencia: _Reference = None
    cnpjs: SkipValidation[list[str | int | WatchItem]] | None = Field(
        None,
        description="Até 1.000 CNPJs em vez de um só; por HTTP também objetos com cnpj e referencia. Como ferramenta, até 500.",
        examples=[["SANDBOX1000170"]],
        json_schema_extra=_limit_list,
    )


class WatchedCompany(BaseModel):
    """Uma empresa monitorada."""

    cnpj: str = Field(description="CNPJ sem máscara.", examples=["SANDBOX1000170"])
    referencia: str | None = Field(description="A sua referência.", examples=["fornecedor 1"])
    desde: str = Field(description="Desde quando, ISO 8601.", examples=["2026-11-18T11:06:40Z"])


class WatchEntry(BaseModel):
    """A resposta a um item."""

    indice: int = Field(description="O índice do item na requisição, a partir de 0.")
    status: int = Field(description="O status que uma empresa só receberia.", examples=[201])
    resposta: WatchedCompany | None = Field(
        None, description="A empresa monitorada, se o status é 200 ou 201."
    )
    problema: dict[str, Any] | None = Field(
        None, description="O problema que uma empresa só receberia, com qualquer outro status."
    )


class WatchEntries(BaseModel):
    """As respostas, na ordem dos itens."""

    resultados: list[WatchEntry]


class WatchAnswer(RootModel[WatchedCompany | WatchEntries]):
    """A empresa monitorada; para uma lista, a resposta a cada item."""


class WatchedRequest(BaseModel, extra="forbid"):
    """Qual empresa."""

    cnpj: Number


class Nothing(BaseModel):
    """A empresa não é mais monitorada."""


class Simulated(BaseModel):
    """A empresa de teste que mudou."""

    cnpj: str = Field(examples=["SANDBOX1000170"])


class PageRequest(BaseModel, extra="forbid"):
    """Qual página."""

    limite: Annotated[int, WholeNumber] = Field(
        DEFAULT_LIMIT, ge=1, le=MOST_LIMIT, description="Itens por página.", examples=[25]
    )
    cursor: str | None = Field(
        None, description="O cursor da resposta anterior.", examples=["w5q3T1kG8fIzMzAwMDE2NzAwMDEwMQ"]
    )


class WatchPage(BaseModel):
    """Uma página das empresas monitoradas."""

    watches: list[WatchedCompany] = Field(description="Na ordem dos números.")
    cursor: str | None = Field(description="Para a próxima página; null na última.")


class WatchedChange(BaseModel):
    """O que uma cópia nova do cadastro mudou em uma empresa monitorada."""

    id: str = Field(description="Único na conta.", examples=["0f1e2d3c4b5a6978-33000167000101"])
    cnpj: str = Field(description="CNPJ sem máscara.", examples=["33000167000101"])
    referencia: str | None = Field(description="A sua referência, quando mudou.", examples=["fornecedor 1"])
    data_base: date = Field(description="Data da cópia.", examples=["2026-10-10"])
    mudancas: list[Mudanca] = Field(description="Os campos que mudaram, como no histórico.")


class ChangePage(BaseModel):
    """Uma página do que mudou."""

    mudancas: list[WatchedChange] = Field(description="Da mais antiga à mais recente.")
    cursor: str = Field(description="Para receber o que vier depois, também na última página.")
