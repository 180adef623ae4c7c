"""The record in a provider's answer, by the provider's ``FieldMap``."""

from decimal import Decimal

from brskills_server.registry import tables
from brskills_server.registry.company import (
    Atividade,
    Endereco,
    InscricaoEstadual,
    OpcaoTributaria,
    Record,
    SituacaoCadastral,
    Telefone,
)
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.reading.fields import Json
from brskills_server.registry.providers.reading.partners import read_partners
from brskills_server.registry.providers.reading.source import Source
from brskills_server.registry.values import (
    read_cnpj,
    read_code,
    read_digits,
    read_head_office,
    read_money,
    read_place_code,
    read_registration,
    read_yes,
    required,
)


def read_record(provider: Provider, answer: Json) -> Record:
    """Return the record in a provider's JSON answer. Raise ``ValueError`` where there is none."""
    source = Source(answer, provider.fields)
    capital = read_money(source.value("capital_social"))
    limit = provider.capital_exact_below
    exact = capital is None or limit is None or Decimal(capital) < limit
    return Record(
        cnpj=required(read_cnpj(source.value("cnpj"))),
        matriz=read_head_office(source.value("matriz")),
        razao_social=required(source.text("razao_social")),
        nome_fantasia=source.text("nome_fantasia"),
        situacao_cadastral=_situation(source.part("situacao_cadastral"), source),
        natureza_juridica=source.coded("naturezas_juridicas", "natureza_juridica"),
        porte=source.coded("portes", "porte"),
        capital_social=capital,
        capital_social_precisao=None if capital is None else "exata" if exact else "aproximada",
        data_inicio_atividade=source.date("data_inicio_atividade"),
        cnae_principal=next(iter(_activities(source.rows("cnae_principal"))), None),
        cnaes_secundarios=_activities(source.rows("cnaes_secundarios")),
        endereco=_address(source.part("endereco")),
        telefones=_phones(source.rows("telefones")),
        email=source.text("email"),
        simples=_option(source.part("simples")),
        mei=_option(source.part("mei")),
        socios=read_partners(source.rows("socios")),
        situacao_especial=source.text("situacao_especial"),
        ente_federativo=source.text("ente_federativo"),
        inscricoes_estaduais=_registrations(source),
        fonte=provider.id,
        data_base=source.date("data_base"),
    )


def _situation(source: Source, record: Source) -> SituacaoCadastral:
    state = record.coded("situacoes", "situacao_cadastral")
    return SituacaoCadastral(
        codigo=state.codigo if state else None,
        descricao=state.descricao if state else None,
        data=source.date("data"),
        motivo=source.coded("motivos", "motivo"),
    )


def _activities(rows: list[Source]) -> list[Atividade]:
    """Return CNAE codes with their official texts; a code of zeros means "none"."""
    codes = [(read_code(row.value("codigo"), 7), row.text("descricao")) for row in rows]
    return [
        Atividade(codigo=code, descricao=tables.description("cnaes", code) or text)
        for code, text in codes
        if code and code.strip("0")
    ]


def _address(source: Source) -> Endereco:
    return Endereco(
        tipo_logradouro=source.text("tipo_logradouro"),
        logradouro=source.text("logradouro"),
        numero=source.text("numero"),
        complemento=source.text("complemento"),
        bairro=source.text("bairro"),
        cep=read_place_code(source.value("cep"), 8),
        municipio=source.text("municipio"),
        codigo_ibge=read_place_code(source.value("codigo_ibge"), 7),
        codigo_siafi=read_place_code(source.value("codigo_siafi"), 4),
        uf=source.text("uf"),
        pais=source.country(),
    )


def _phones(rows: list[Source]) -> list[Telefone]:
    """Return telephones, without empty ones and repetitions."""
    found = dict.fromkeys((read_digits(row.value("ddd")), read_digits(row.value("numero"))) for row in rows)
    return [
        Telefone(ddd=area if area.strip("0") else None, numero=number)
        for area, number in found
        if number.strip("0")
    ]


def _registrations(source: Source) -> list[InscricaoEstadual] | None:
    """Return state registrations by state and number; ``None`` where the answer has no such field."""
    if source.part("inscricoes_estaduais").value("rows") is None:
        return None
    found = {
        InscricaoEstadual(uf=row.text("uf"), numero=number, ativa=read_yes(row.value("ativa")))
        for row in source.rows("inscricoes_estaduais")
        if (number := read_registration(row.value("numero")))
    }
    return sorted(found, key=lambda r: (r.uf or "", r.numero, str(r.ativa)))


def _option(source: Source) -> OpcaoTributaria | None:
    """Return Simples or MEI. The registry writes "never" as an exclusion on the day of the option."""
    chosen = read_yes(source.value("optante"))
    if chosen is None:
        return None
    since, until = source.date("data_opcao"), source.date("data_exclusao")
    if since == until:
        since = until = None
    return OpcaoTributaria(optante=chosen, data_opcao=since, data_exclusao=until)
