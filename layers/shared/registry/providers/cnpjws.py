"""CNPJ.ws: the monthly dump by company, with codes of every kind; three calls a minute.

https://docs.cnpj.ws/referencia-de-api/api-publica/consultando-cnpj — the capital is exact, the
situação may be an empty text, ``simples`` may be null, qualifications end in a space. Over 360 calls
an hour it shuts out an address for an hour, which three a minute never reach.
"""

from typing import Any

from registry import tables
from registry.company import CodigoDescricao, Endereco, Record, SituacaoCadastral, Socio
from registry.providers.base import Provider
from registry.providers.people import by_name, document, kind, representative
from registry.values import (
    activities,
    coded,
    coded_text,
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
    branch, simples = section(answer.get("estabelecimento")), section(answer.get("simples"))
    capital = read_money(answer.get("capital_social"))
    main = section(branch.get("atividade_principal"))
    return Record(
        cnpj=required(read_cnpj(branch.get("cnpj"))),
        matriz={"matriz": True, "filial": False}.get((read_text(branch.get("tipo")) or "").lower()),
        razao_social=required(read_text(answer.get("razao_social"))),
        nome_fantasia=read_text(branch.get("nome_fantasia")),
        situacao_cadastral=_situation(branch),
        natureza_juridica=_coded("naturezas_juridicas", answer.get("natureza_juridica"), 4),
        porte=_coded(tables.PORTES, answer.get("porte"), 2),
        capital_social=capital,
        capital_social_precisao="exata" if capital else None,
        data_inicio_atividade=read_date(branch.get("data_inicio_atividade")),
        cnae_principal=next(iter(activities([(main.get("id"), main.get("descricao"))])), None),
        cnaes_secundarios=activities(
            [(row.get("id"), row.get("descricao")) for row in rows(branch.get("atividades_secundarias"))]
        ),
        endereco=_address(branch),
        telefones=phones(
            [(branch.get("ddd1"), branch.get("telefone1")), (branch.get("ddd2"), branch.get("telefone2"))]
        ),
        email=read_text(branch.get("email")),
        simples=option(
            simples.get("simples"), simples.get("data_opcao_simples"), simples.get("data_exclusao_simples")
        ),
        mei=option(simples.get("mei"), simples.get("data_opcao_mei"), simples.get("data_exclusao_mei")),
        socios=by_name([_partner(row) for row in rows(answer.get("socios")) if read_text(row.get("nome"))]),
        situacao_especial=read_text(branch.get("situacao_especial")),
        ente_federativo=read_text(answer.get("responsavel_federativo")),
        fonte="cnpjws",
        data_base=read_date(branch.get("atualizado_em")),
    )


def _coded(table: str, value: object, width: int) -> CodigoDescricao | None:
    item = section(value)
    return coded(table, read_code(item.get("id"), width), item.get("descricao"))


def _situation(branch: dict[str, Any]) -> SituacaoCadastral:
    state = coded_text(tables.SITUACOES, branch.get("situacao_cadastral"))
    return SituacaoCadastral(
        codigo=state.codigo if state else None,
        descricao=state.descricao if state else None,
        data=read_date(branch.get("data_situacao_cadastral")),
        motivo=_coded("motivos", branch.get("motivo_situacao_cadastral"), 2),
    )


def _address(branch: dict[str, Any]) -> Endereco:
    city = section(branch.get("cidade"))
    town = coded("municipios_siafi", read_code(city.get("siafi_id"), 4), city.get("nome"))
    return Endereco(
        tipo_logradouro=read_text(branch.get("tipo_logradouro")),
        logradouro=read_text(branch.get("logradouro")),
        numero=read_text(branch.get("numero")),
        complemento=read_text(branch.get("complemento")),
        bairro=read_text(branch.get("bairro")),
        cep=read_place(branch.get("cep"), 8),
        municipio=town.descricao if town else None,
        codigo_ibge=read_place(city.get("ibge_id"), 7),
        codigo_siafi=town.codigo if town else None,
        uf=read_text(section(branch.get("estado")).get("sigla")),
        pais=_country(branch.get("pais")),
    )


def _country(value: object) -> str | None:
    country = section(value)
    return read_country(country.get("comex_id"), country.get("nome"))


def _partner(row: dict[str, Any]) -> Socio:
    return Socio(
        nome=required(read_text(row.get("nome"))),
        tipo=kind(row.get("tipo")),
        documento=document(row.get("cpf_cnpj_socio")),
        qualificacao=_coded("qualificacoes_socio", row.get("qualificacao_socio"), 2),
        data_entrada=read_date(row.get("data_entrada")),
        faixa_etaria=read_age_band(row.get("faixa_etaria")),
        pais=_country(row.get("pais")),
        representante_legal=representative(
            row.get("nome_representante"),
            row.get("cpf_representante_legal"),
            _coded("qualificacoes_socio", row.get("qualificacao_representante"), 2),
        ),
    )


PROVIDER = Provider(
    id="cnpjws",
    group="cnpjws",
    base="https://publica.cnpj.ws",
    path="/cnpj/{cnpj}",
    timeout=4.0,
    read=_read,
    per_minute=3,
    monthly_dump=True,
)
