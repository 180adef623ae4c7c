"""CNPJá's open address: the freshest free source, each record with its own date; five calls a minute.

https://cnpja.com/api/open — texts come in title case, the kind of street stands in the street, and the
municipality is IBGE's code. ``company.id`` has lost its leading zeros, so ``taxId`` is read instead.
"""

from typing import Any

from registry.company import CodigoDescricao, Endereco, OpcaoTributaria, Record, SituacaoCadastral, Socio
from registry.providers.base import Provider
from registry.providers.people import by_name, document, kind, representative
from registry.tables import PORTES, SITUACOES
from registry.values import (
    Garbage,
    activities,
    coded,
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
    read_yes,
    required,
    rows,
    section,
)

__all__ = ["PROVIDER"]

_BRAZIL_M49 = 76


def _read(answer: dict[str, Any]) -> Record:
    company = section(answer.get("company"))
    capital = read_money(company.get("equity"))
    main = section(answer.get("mainActivity"))
    return Record(
        cnpj=required(read_cnpj(answer.get("taxId"))),
        matriz=_head(answer.get("head")),
        razao_social=required(read_text(company.get("name"))),
        nome_fantasia=read_text(answer.get("alias")),
        situacao_cadastral=_situation(answer),
        natureza_juridica=_coded("naturezas_juridicas", company.get("nature"), 4),
        porte=_coded(PORTES, company.get("size"), 2),
        capital_social=capital,
        capital_social_precisao="exata" if capital else None,
        data_inicio_atividade=read_date(answer.get("founded")),
        cnae_principal=next(iter(activities([(main.get("id"), main.get("text"))])), None),
        cnaes_secundarios=activities(
            [(row.get("id"), row.get("text")) for row in rows(answer.get("sideActivities"))]
        ),
        endereco=_address(section(answer.get("address"))),
        telefones=phones(
            [
                (row.get("area"), row.get("number"))
                for row in rows(answer.get("phones"))
                if row.get("type") != "FAX"
            ]
        ),
        email=next((read_text(row.get("address")) for row in rows(answer.get("emails"))), None),
        simples=_option(section(company.get("simples"))),
        mei=_option(section(company.get("simei"))),
        socios=by_name([_partner(row) for row in rows(company.get("members")) if _named(row)]),
        situacao_especial=read_text(section(answer.get("special")).get("text")),
        ente_federativo=read_text(company.get("jurisdiction")),
        fonte="cnpja",
        data_base=read_date(answer.get("updated")),
    )


def _head(value: object) -> bool | None:
    if not isinstance(value, bool | None):
        raise Garbage("no boolean")
    return value


def _coded(table: str, value: object, width: int) -> CodigoDescricao | None:
    item = section(value)
    return coded(table, read_code(item.get("id"), width), item.get("text"))


def _situation(answer: dict[str, Any]) -> SituacaoCadastral:
    state = _coded(SITUACOES, answer.get("status"), 2)
    return SituacaoCadastral(
        codigo=state.codigo if state else None,
        descricao=state.descricao if state else None,
        data=read_date(answer.get("statusDate")),
        motivo=_coded("motivos", answer.get("reason"), 2),
    )


def _country(value: object) -> str | None:
    country = section(value)
    return "BRASIL" if country.get("id") == _BRAZIL_M49 else read_country(None, country.get("name"))


def _address(address: dict[str, Any]) -> Endereco:
    return Endereco(
        tipo_logradouro=None,
        logradouro=read_text(address.get("street")),
        numero=read_text(address.get("number")),
        complemento=read_text(address.get("details")),
        bairro=read_text(address.get("district")),
        cep=read_place(address.get("zip"), 8),
        municipio=read_text(address.get("city")),
        codigo_ibge=read_place(address.get("municipality"), 7),
        codigo_siafi=None,
        uf=read_text(address.get("state")),
        pais=_country(address.get("country")),
    )


def _option(choice: dict[str, Any]) -> OpcaoTributaria | None:
    """The present option or, of who has left, the latest period of the history."""
    past = max(rows(choice.get("history")), key=lambda row: read_text(row.get("from")) or "", default={})
    if read_yes(choice.get("optant")) or not past:
        return option(choice.get("optant"), choice.get("since"), None)
    return option(choice.get("optant"), past.get("from"), past.get("until"))


def _named(row: dict[str, Any]) -> bool:
    return read_text(section(row.get("person")).get("name")) is not None


def _partner(row: dict[str, Any]) -> Socio:
    person, agent = section(row.get("person")), section(row.get("agent"))
    proxy = section(agent.get("person"))
    return Socio(
        nome=required(read_text(person.get("name"))),
        tipo=kind(person.get("type")),
        documento=document(person.get("taxId")),
        qualificacao=_coded("qualificacoes_socio", row.get("role"), 2),
        data_entrada=read_date(row.get("since")),
        faixa_etaria=read_age_band(person.get("age")),
        pais=_country(person.get("country")),
        representante_legal=representative(
            proxy.get("name"), proxy.get("taxId"), _coded("qualificacoes_socio", agent.get("role"), 2)
        ),
    )


PROVIDER = Provider(
    id="cnpja",
    group="cnpja",
    base="https://open.cnpja.com",
    path="/office/{cnpj}",
    timeout=4.0,
    read=_read,
    per_minute=5,
)
