"""The request and the answer of a search, for schemas and tools; the skill checks by ``search_request``."""

from copy import copy
from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, Field

from brskills_server.registry.company import Atividade, Endereco, Record, SituacaoCadastral
from brskills_server.skills.cnpj.search_request import DEFAULT_LIMIT, MOST_LIMIT, MOST_VALUES
from brskills_server.skills.validation import WholeNumber

Code = Annotated[str | int, WholeNumber]
_DAY = r"^\d{4}-\d{2}-\d{2}$"


def _values(description: str, *examples: Any) -> Any:
    """Return a field of one value or a list, of which any fits."""
    return Field(None, description=description, examples=list(examples), json_schema_extra=_limit_list)


def _limit_list(schema: dict[str, Any]) -> None:
    schema["anyOf"][0] |= {"minItems": 1, "maxItems": MOST_VALUES}


class SearchRequest(BaseModel, extra="forbid"):
    """O que se busca. Vários valores de um campo significam qualquer um deles."""

    nome: list[str] | str | None = _values(
        "Um nome por item, com todas as suas palavras: cada uma deve estar na razão social ou no nome fantasia, "
        "inteira ou, a partir de três letras, pelo começo. Vários itens são alternativas. Maiúsculas e acentos "
        "não importam.",
        "SANDBOX",
    )
    raiz: list[Code] | Code | None = _values(
        "Os 8 primeiros caracteres do CNPJ: matriz e filiais, em qualquer situação.", "33000167"
    )
    cnae: list[Code] | Code | None = _values("CNAE, principal ou secundária, com 7 dígitos.", "6201501")
    cnae_principal: list[Code] | Code | None = _values("CNAE principal, com 7 dígitos.", "6201501")
    uf: list[str] | str | None = _values("Sigla do estado; EX no exterior.", "SP")
    municipio: list[Code] | Code | None = _values(
        "Município, pelo nome (São Paulo/SP) ou pelo código do IBGE (7 dígitos) ou do SIAFI (4).",
        "São Paulo/SP",
    )
    cep: list[str] | str | None = _values("CEP, ou os 5 primeiros dígitos.", "01001")
    natureza_juridica: list[Code] | Code | None = _values("Natureza jurídica, código de 4 dígitos.", "2062")
    porte: list[Code] | Code | None = _values(
        "Porte: 00 não informado, 01 microempresa, 03 pequeno porte, 05 demais.", "03"
    )
    situacao: list[Code] | Code | None = _values(
        "Situação, por código ou palavra, ou todas. Sem ela, só ativas (com raiz, todas): se nada for achado, "
        "tente todas.",
        "ativa",
    )
    socio_cnpj: list[Code] | Code | None = _values("CNPJ de uma empresa que é sócia.", "SANDBOX2000114")
    aberta_de: str | None = Field(
        None,
        description="Início de atividade neste dia ou depois.",
        examples=["2019-01-01"],
        json_schema_extra={"pattern": _DAY},
    )
    aberta_ate: str | None = Field(
        None,
        description="Início de atividade neste dia ou antes.",
        examples=["2026-01-31"],
        json_schema_extra={"pattern": _DAY},
    )
    matriz: bool | None = Field(None, description="true: só matrizes; false: só filiais.", examples=[True])
    mei: bool | None = Field(
        None,
        description="true: só MEI; false: as demais, também aquelas de que não se sabe.",
        examples=[True],
    )
    simples: bool | None = Field(
        None,
        description="true: só optantes pelo Simples Nacional; false: as demais, também aquelas de que não "
        "se sabe.",
        examples=[True],
    )
    limite: Annotated[int, WholeNumber] = Field(
        DEFAULT_LIMIT, ge=1, le=MOST_LIMIT, description="Empresas por página.", examples=[25]
    )
    cursor: str | None = Field(
        None,
        description="O cursor da página anterior, com os mesmos campos dela; limite pode mudar.",
        examples=["w5q3T1kG8fIzMzAwMDE2NzAwMDEwMTVmMWQ"],
    )


def _as_in(model: type[BaseModel], name: str) -> Any:
    """Return a field as a record has it."""
    return copy(model.model_fields[name])


class CompanyRow(BaseModel):
    """Uma empresa encontrada: parte do seu cadastro."""

    cnpj: str = _as_in(Record, "cnpj")
    matriz: bool | None = _as_in(Record, "matriz")
    razao_social: str = _as_in(Record, "razao_social")
    nome_fantasia: str | None = _as_in(Record, "nome_fantasia")
    situacao_cadastral: SituacaoCadastral = _as_in(Record, "situacao_cadastral")
    uf: str | None = _as_in(Endereco, "uf")
    municipio: str | None = _as_in(Endereco, "municipio")
    cnae_principal: Atividade | None = _as_in(Record, "cnae_principal")
    data_inicio_atividade: date | None = _as_in(Record, "data_inicio_atividade")


class SearchPage(BaseModel):
    """Uma página do que foi encontrado."""

    empresas: list[CompanyRow] = Field(description="Na ordem dos números, cada uma uma vez.")
    total: int = Field(description="Quantas há em todas as páginas; a contagem para em 10000.", examples=[42])
    total_exato: bool = Field(description="false quando há mais do que total.", examples=[True])
    cursor: str | None = Field(description="Para a próxima página; null na última.")
    data_base: date = Field(description="O dia da cópia do cadastro.", examples=["2026-09-12"])
    sugestoes: list[str] = Field(
        description="Quando não se acha nada pelo nome: até cinco palavras parecidas que existem."
    )
