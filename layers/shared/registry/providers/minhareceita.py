"""Minha Receita: the monthly dump, served by anyone who likes; BrasilAPI passes on the same answers.

https://docs.minhareceita.org/como-usar/ — no key, no published limit. Codes are integers without
their leading zeros, e-mails are never there. The capital is held as a 32-bit float: from R$ 131,072
on its 24 bits cannot tell every cent, and the record says so.
"""

from datetime import date
from decimal import Decimal
from typing import Any, Literal

from registry.company import Endereco, Record, SituacaoCadastral, Socio
from registry.providers.base import DataDate, Provider
from registry.providers.people import by_name, document, kind, representative
from registry.tables import PORTES, SITUACOES
from registry.values import (
    activities,
    coded,
    joined_phone,
    option,
    phones,
    read_age_band,
    read_cnpj,
    read_code,
    read_country,
    read_date,
    read_money,
    read_place,
    read_text,
    required,
    rows,
)

__all__ = ["GROUP", "PROVIDER", "read_dump"]

GROUP = "minhareceita"
_EXACT_BELOW = Decimal(131_072)


def read_dump(answer: dict[str, Any], source: str) -> Record:
    """A record out of Minha Receita's or BrasilAPI's answer."""
    capital = read_money(answer.get("capital_social"))
    return Record(
        cnpj=required(read_cnpj(answer.get("cnpj"))),
        matriz={"1": True, "2": False}.get(read_code(answer.get("identificador_matriz_filial"), 1) or ""),
        razao_social=required(read_text(answer.get("razao_social"))),
        nome_fantasia=read_text(answer.get("nome_fantasia")),
        situacao_cadastral=_situation(answer),
        natureza_juridica=coded(
            "naturezas_juridicas",
            read_code(answer.get("codigo_natureza_juridica"), 4),
            answer.get("natureza_juridica"),
        ),
        porte=coded(PORTES, read_code(answer.get("codigo_porte"), 2), answer.get("porte")),
        capital_social=capital,
        capital_social_precisao=_precision(capital),
        data_inicio_atividade=read_date(answer.get("data_inicio_atividade")),
        cnae_principal=next(
            iter(activities([(answer.get("cnae_fiscal"), answer.get("cnae_fiscal_descricao"))])), None
        ),
        cnaes_secundarios=activities(
            [(row.get("codigo"), row.get("descricao")) for row in rows(answer.get("cnaes_secundarios"))]
        ),
        endereco=_address(answer),
        telefones=phones([joined_phone(answer.get(f"ddd_telefone_{n}")) for n in (1, 2)]),
        email=read_text(answer.get("email")),
        simples=option(
            answer.get("opcao_pelo_simples"),
            answer.get("data_opcao_pelo_simples"),
            answer.get("data_exclusao_do_simples"),
        ),
        mei=option(
            answer.get("opcao_pelo_mei"),
            answer.get("data_opcao_pelo_mei"),
            answer.get("data_exclusao_do_mei"),
        ),
        socios=by_name(
            [_partner(row) for row in rows(answer.get("qsa")) if read_text(row.get("nome_socio"))]
        ),
        situacao_especial=read_text(answer.get("situacao_especial")),
        ente_federativo=read_text(answer.get("ente_federativo_responsavel")),
        fonte=source,
        data_base=None,
    )


def _situation(answer: dict[str, Any]) -> SituacaoCadastral:
    state = coded(
        SITUACOES, read_code(answer.get("situacao_cadastral"), 2), answer.get("descricao_situacao_cadastral")
    )
    return SituacaoCadastral(
        codigo=state.codigo if state else None,
        descricao=state.descricao if state else None,
        data=read_date(answer.get("data_situacao_cadastral")),
        motivo=coded(
            "motivos",
            read_code(answer.get("motivo_situacao_cadastral"), 2),
            answer.get("descricao_motivo_situacao_cadastral"),
        ),
    )


def _precision(capital: str | None) -> Literal["exata", "aproximada"] | None:
    if capital is None:
        return None
    return "exata" if Decimal(capital) < _EXACT_BELOW else "aproximada"


def _address(answer: dict[str, Any]) -> Endereco:
    return Endereco(
        tipo_logradouro=read_text(answer.get("descricao_tipo_de_logradouro")),
        logradouro=read_text(answer.get("logradouro")),
        numero=read_text(answer.get("numero")),
        complemento=read_text(answer.get("complemento")),
        bairro=read_text(answer.get("bairro")),
        cep=read_place(answer.get("cep"), 8),
        municipio=read_text(answer.get("municipio")),
        codigo_ibge=read_place(answer.get("codigo_municipio_ibge"), 7),
        codigo_siafi=read_place(answer.get("codigo_municipio"), 4),
        uf=read_text(answer.get("uf")),
        pais=read_country(answer.get("codigo_pais"), answer.get("pais")),
    )


def _partner(row: dict[str, Any]) -> Socio:
    return Socio(
        nome=required(read_text(row.get("nome_socio"))),
        tipo=kind(row.get("identificador_de_socio")),
        documento=document(row.get("cnpj_cpf_do_socio")),
        qualificacao=coded(
            "qualificacoes_socio",
            read_code(row.get("codigo_qualificacao_socio"), 2),
            row.get("qualificacao_socio"),
        ),
        data_entrada=read_date(row.get("data_entrada_sociedade")),
        faixa_etaria=read_age_band(row.get("faixa_etaria") or row.get("codigo_faixa_etaria")),
        pais=read_country(row.get("codigo_pais"), row.get("pais")),
        representante_legal=representative(
            row.get("nome_representante_legal"),
            row.get("cpf_representante_legal"),
            coded(
                "qualificacoes_socio",
                read_code(row.get("codigo_qualificacao_representante_legal"), 2),
                row.get("qualificacao_representante_legal"),
            ),
        ),
    )


def _updated(answer: dict[str, Any]) -> date | None:
    return read_date(answer.get("message"))


def _read(answer: dict[str, Any]) -> Record:
    return read_dump(answer, GROUP)


PROVIDER = Provider(
    id="minhareceita",
    group=GROUP,
    base="https://minhareceita.org",
    path="/{cnpj}",
    timeout=6.0,
    read=_read,
    monthly_dump=True,
    data_date=DataDate("/updated", _updated),
)
