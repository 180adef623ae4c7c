"""OpenCNPJ: the monthly dump as static shards; fast, without a published limit.

https://opencnpj.org — the capital is exact ("120000000000,00"). Natureza, porte, situação and the
qualification of partners are texts only, so their codes come from the official tables; ``/info`` tells
the date of the dump. Some cloud addresses get a challenge page with status 403.
"""

from datetime import date
from typing import Any

from registry.company import Endereco, Record, SituacaoCadastral, Socio
from registry.providers.base import DataDate, Provider
from registry.providers.people import by_name, document, kind, representative
from registry.tables import PORTES, SITUACOES
from registry.values import (
    activities,
    coded,
    coded_text,
    items,
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
    section,
)

__all__ = ["PROVIDER"]


def _read(answer: dict[str, Any]) -> Record:
    capital = read_money(answer.get("capital_social"))
    words = {read_text(row.get("codigo")): row.get("descricao") for row in rows(answer.get("cnaes"))}
    main = read_text(answer.get("cnae_principal"))
    others = [read_text(code) for code in items(answer.get("cnaes_secundarios"))]
    return Record(
        cnpj=required(read_cnpj(answer.get("cnpj"))),
        matriz={"matriz": True, "filial": False}.get((read_text(answer.get("matriz_filial")) or "").lower()),
        razao_social=required(read_text(answer.get("razao_social"))),
        nome_fantasia=read_text(answer.get("nome_fantasia")),
        situacao_cadastral=_situation(answer),
        natureza_juridica=coded_text("naturezas_juridicas", answer.get("natureza_juridica")),
        porte=coded_text(PORTES, answer.get("porte_empresa")),
        capital_social=capital,
        capital_social_precisao="exata" if capital else None,
        data_inicio_atividade=read_date(answer.get("data_inicio_atividade")),
        cnae_principal=next(iter(activities([(main, words.get(main))])), None),
        cnaes_secundarios=activities([(code, words.get(code)) for code in others]),
        endereco=_address(answer),
        telefones=phones(
            [
                (row.get("ddd"), row.get("numero"))
                for row in rows(answer.get("telefones"))
                if not row.get("is_fax")
            ]
        ),
        email=read_text(answer.get("email")),
        simples=option(
            answer.get("opcao_simples"), answer.get("data_opcao_simples"), answer.get("data_exclusao_simples")
        ),
        mei=option(answer.get("opcao_mei"), answer.get("data_opcao_mei"), answer.get("data_exclusao_mei")),
        socios=by_name(
            [_partner(row) for row in rows(answer.get("QSA")) if read_text(row.get("nome_socio"))]
        ),
        situacao_especial=read_text(answer.get("situacao_especial")),
        ente_federativo=read_text(answer.get("ente_federativo")),
        fonte="opencnpj",
        data_base=None,
    )


def _situation(answer: dict[str, Any]) -> SituacaoCadastral:
    state = coded_text(SITUACOES, answer.get("situacao_cadastral"))
    reason = section(answer.get("motivo_situacao_cadastral"))
    return SituacaoCadastral(
        codigo=state.codigo if state else None,
        descricao=state.descricao if state else None,
        data=read_date(answer.get("data_situacao_cadastral")),
        motivo=coded("motivos", read_code(reason.get("codigo"), 2), reason.get("descricao")),
    )


def _address(answer: dict[str, Any]) -> Endereco:
    country = section(answer.get("pais"))
    return Endereco(
        tipo_logradouro=read_text(answer.get("tipo_logradouro")),
        logradouro=read_text(answer.get("logradouro")),
        numero=read_text(answer.get("numero")),
        complemento=read_text(answer.get("complemento")),
        bairro=read_text(answer.get("bairro")),
        cep=read_place(answer.get("cep"), 8),
        municipio=read_text(answer.get("municipio")),
        codigo_ibge=None,
        codigo_siafi=read_place(answer.get("codigo_municipio"), 4),
        uf=read_text(answer.get("uf")),
        pais=read_country(country.get("codigo") or answer.get("codigo_pais"), country.get("descricao")),
    )


def _partner(row: dict[str, Any]) -> Socio:
    country, role = section(row.get("pais")), section(row.get("qualificacao_representante"))
    return Socio(
        nome=required(read_text(row.get("nome_socio"))),
        tipo=kind(row.get("identificador_socio")),
        documento=document(row.get("cnpj_cpf_socio")),
        qualificacao=coded_text("qualificacoes_socio", row.get("qualificacao_socio")),
        data_entrada=read_date(row.get("data_entrada_sociedade")),
        faixa_etaria=read_age_band(row.get("faixa_etaria")),
        pais=read_country(country.get("codigo") or row.get("codigo_pais"), country.get("descricao")),
        representante_legal=representative(
            row.get("nome_representante"),
            row.get("representante_legal"),
            coded("qualificacoes_socio", read_code(role.get("codigo"), 2), role.get("descricao")),
        ),
    )


def _updated(answer: dict[str, Any]) -> date | None:
    return read_date(answer.get("last_updated"))


PROVIDER = Provider(
    id="opencnpj",
    group="opencnpj",
    base="https://api.opencnpj.org",
    path="/{cnpj}",
    timeout=3.0,
    read=_read,
    monthly_dump=True,
    data_date=DataDate("/info", _updated),
)
