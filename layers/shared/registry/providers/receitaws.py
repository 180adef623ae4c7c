"""ReceitaWS: each record with its own date; three calls a minute.

https://developers.receitaws.com.br — everything is text: days as DD/MM/AAAA, codes with their masks,
``00.00-0-00 ********`` for "none", partners without documents. Its errors come with status 200 and
``status: "ERROR"``; only "rejeitado pela Receita Federal" among them says that there is no company.
"""

import re
from typing import Any

from registry.company import CodigoDescricao, Endereco, OpcaoTributaria, Record, SituacaoCadastral, Socio
from registry.providers.base import Provider
from registry.providers.people import by_name, representative
from registry.tables import PORTES, SITUACOES, fold
from registry.values import (
    Garbage,
    activities,
    coded,
    coded_text,
    joined_phone,
    option,
    phones,
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
    if answer.get("status") != "OK":
        raise Garbage("an error inside of a 200")
    capital = read_money(answer.get("capital_social"))
    return Record(
        cnpj=required(read_cnpj(answer.get("cnpj"))),
        matriz={"matriz": True, "filial": False}.get((read_text(answer.get("tipo")) or "").lower()),
        razao_social=required(read_text(answer.get("nome"))),
        nome_fantasia=read_text(answer.get("fantasia")),
        situacao_cadastral=_situation(answer),
        natureza_juridica=_labelled("naturezas_juridicas", answer.get("natureza_juridica"), 4),
        porte=coded_text(PORTES, answer.get("porte")),
        capital_social=capital,
        capital_social_precisao="exata" if capital else None,
        data_inicio_atividade=read_date(answer.get("abertura")),
        cnae_principal=next(
            iter(
                activities(
                    [(row.get("code"), row.get("text")) for row in rows(answer.get("atividade_principal"))]
                )
            ),
            None,
        ),
        cnaes_secundarios=activities(
            [(row.get("code"), row.get("text")) for row in rows(answer.get("atividades_secundarias"))]
        ),
        endereco=_address(answer),
        telefones=phones(_phones(answer.get("telefone"))),
        email=read_text(answer.get("email")),
        simples=_option(section(answer.get("simples"))),
        mei=_option(section(answer.get("simei"))),
        socios=by_name([_partner(row) for row in rows(answer.get("qsa")) if read_text(row.get("nome"))]),
        situacao_especial=read_text(answer.get("situacao_especial")),
        ente_federativo=read_text(answer.get("efr")),
        fonte="receitaws",
        data_base=read_date(answer.get("ultima_atualizacao")),
    )


def _denies(_: int, answer: dict[str, Any]) -> bool:
    message = fold(read_text(answer.get("message")) or "")
    return answer.get("status") == "ERROR" and ("rejeitado" in message or "naoencontrado" in message)


def _labelled(table: str, value: object, width: int) -> CodigoDescricao | None:
    """Out of "206-2 - Sociedade Empresária Limitada" or "49-Sócio-Administrador"."""
    text = read_text(value) or ""
    match = re.match(rf"([0-9][0-9-]{{0,{width}}}?)\s*-\s*([^\W\d].*)", text)
    return coded(table, read_code(match[1], width), match[2]) if match else coded_text(table, text)


def _situation(answer: dict[str, Any]) -> SituacaoCadastral:
    state = coded_text(SITUACOES, answer.get("situacao"))
    return SituacaoCadastral(
        codigo=state.codigo if state else None,
        descricao=state.descricao if state else None,
        data=read_date(answer.get("data_situacao")),
        motivo=coded_text("motivos", answer.get("motivo_situacao")),
    )


def _address(answer: dict[str, Any]) -> Endereco:
    return Endereco(
        tipo_logradouro=None,
        logradouro=read_text(answer.get("logradouro")),
        numero=read_text(answer.get("numero")),
        complemento=read_text(answer.get("complemento")),
        bairro=read_text(answer.get("bairro")),
        cep=read_place(answer.get("cep"), 8),
        municipio=read_text(answer.get("municipio")),
        codigo_ibge=None,
        codigo_siafi=None,
        uf=read_text(answer.get("uf")),
        pais=None,
    )


def _phones(value: object) -> list[tuple[object, object]]:
    """Out of "(17) 3211-1234/ (17) 3211-5678", with the area code empty or without its parentheses too."""
    found: list[tuple[object, object]] = []
    for part in value.split("/") if isinstance(value, str) else ():
        marked = re.fullmatch(r"\s*\(([0-9]*)\)(.*)", part)
        found.append((marked[1], marked[2]) if marked else joined_phone(part))
    return found


def _option(choice: dict[str, Any]) -> OpcaoTributaria | None:
    return option(choice.get("optante"), choice.get("data_opcao"), choice.get("data_exclusao"))


def _partner(row: dict[str, Any]) -> Socio:
    return Socio(
        nome=required(read_text(row.get("nome"))),
        tipo=None,
        documento=None,
        qualificacao=_labelled("qualificacoes_socio", row.get("qual"), 2),
        data_entrada=None,
        faixa_etaria=None,
        pais=read_country(None, row.get("pais_origem")),
        representante_legal=representative(
            row.get("nome_rep_legal"), None, _labelled("qualificacoes_socio", row.get("qual_rep_legal"), 2)
        ),
    )


PROVIDER = Provider(
    id="receitaws",
    group="receitaws",
    base="https://receitaws.com.br",
    path="/v1/cnpj/{cnpj}",
    timeout=4.0,
    read=_read,
    denies=_denies,
    per_minute=3,
)
