"""The record in a provider's answer, by the provider's ``FieldMap``.

A field that cannot be read is ``None``; number and legal name, and one of status, municipality and CEP,
make the record.
"""

from decimal import Decimal
from typing import Literal

from brskills_server.registry import company as models
from brskills_server.registry import tables, values
from brskills_server.registry.company import Record
from brskills_server.registry.privacy import person_document
from brskills_server.registry.providers.fields import Source
from brskills_server.registry.providers.provider import Json, Provider
from brskills_server.registry.search.city_names import city_codes
from taxid import cnpj, cpf

_Kind = Literal["PF", "PJ", "ESTRANGEIRO"]
_PARTNER_KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("1", "pessoajuridica", "legal"), "PJ"),
    **dict.fromkeys(("2", "pessoafisica", "natural"), "PF"),
    **dict.fromkeys(("3", "estrangeiro", "foreign"), "ESTRANGEIRO"),
}


def read_record(provider: Provider, answer: Json) -> Record:
    """Return the record in a provider's JSON answer. Raise ``ValueError`` where there is none."""
    source = Source(answer, provider.fields)
    situation = _situation(source.part("situacao_cadastral"), source)
    address = _address(source.part("endereco"))
    values.required(situation.codigo or situation.descricao or address.municipio or address.cep)
    capital = values.read_money(source.value("capital_social"))
    limit = provider.capital_exact_below
    exact = capital is None or limit is None or Decimal(capital) < limit
    return Record(
        cnpj=values.required(values.read_cnpj(source.value("cnpj"))),
        matriz=values.read_head_office(source.value("matriz")),
        razao_social=values.required(source.text("razao_social")),
        nome_fantasia=source.text("nome_fantasia"),
        situacao_cadastral=situation,
        natureza_juridica=_coded(source, "naturezas_juridicas", "natureza_juridica"),
        qualificacao_do_responsavel=_coded(source, "qualificacoes_socio", "qualificacao_do_responsavel"),
        porte=_coded(source, "portes", "porte"),
        capital_social=capital,
        capital_social_precisao=None if capital is None else "exata" if exact else "aproximada",
        data_inicio_atividade=source.date("data_inicio_atividade"),
        cnae_principal=next(iter(_activities(source.rows("cnae_principal"))), None),
        cnaes_secundarios=_activities(source.rows("cnaes_secundarios")),
        endereco=address,
        telefones=_phones(source.rows("telefones")),
        fax=next(iter(_phones(source.rows("fax"))), None),
        email=source.text("email"),
        simples=_option(source.part("simples")),
        mei=_option(source.part("mei")),
        socios=_partners(source.rows("socios")),
        situacao_especial=source.text("situacao_especial"),
        data_situacao_especial=source.date("data_situacao_especial"),
        ente_federativo=source.text("ente_federativo"),
        inscricoes_estaduais=_registrations(source),
        fonte=provider.id,
        data_base=source.date("data_base"),
    )


def read_document(value: object) -> str | None:
    """Return a CNPJ, or a masked CPF, also of one with zeros in front; ``None`` for anything else."""
    number = values.read_cnpj(value)
    if number and number.startswith("000") and not cnpj.is_valid(number) and cpf.is_valid(number[3:]):
        value, number = number[3:], None
    return number or (person_document(value) if isinstance(value, str) else None)


def _coded(source: Source, table: str, name: str) -> models.CodigoDescricao | None:
    code, text = source.coded(table, name)
    return None if code is None and text is None else models.CodigoDescricao(codigo=code, descricao=text)


def _situation(source: Source, record: Source) -> models.SituacaoCadastral:
    code, text = record.coded("situacoes", "situacao_cadastral")
    reason = _coded(source, "motivos", "motivo")
    return models.SituacaoCadastral(codigo=code, descricao=text, data=source.date("data"), motivo=reason)


def _activities(rows: list[Source]) -> list[models.Atividade]:
    """Return CNAE codes with their official texts; a code of zeros means "none"."""
    codes = [(values.read_code(row.value("codigo"), 7), row.text("descricao")) for row in rows]
    return [
        models.Atividade(codigo=code, descricao=tables.description("cnaes", code) or text)
        for code, text in codes
        if code and code.strip("0")
    ]


def _address(source: Source) -> models.Endereco:
    city, state = source.text("municipio"), source.text("uf")
    siafi, ibge = city_codes(
        values.read_place_code(source.value("codigo_siafi"), 4),
        values.read_place_code(source.value("codigo_ibge"), 7),
        city or "",
        state or "",
    )
    country, country_name = source.country()
    return models.Endereco(
        tipo_logradouro=source.text("tipo_logradouro"),
        logradouro=source.text("logradouro"),
        numero=source.text("numero"),
        complemento=source.text("complemento"),
        bairro=source.text("bairro"),
        cep=values.read_place_code(source.value("cep"), 8),
        municipio=city,
        codigo_ibge=ibge,
        codigo_siafi=siafi,
        uf=state,
        pais=country_name,
        pais_codigo=country,
        cidade_exterior=source.text("cidade_exterior"),
    )


def _phones(rows: list[Source]) -> list[models.Telefone]:
    """Return telephones, without empty ones and repetitions."""
    found = dict.fromkeys(
        (values.read_area(row.value("ddd")), values.read_digits(row.value("numero"))) for row in rows
    )
    return [models.Telefone(ddd=area, numero=number) for area, number in found if number.strip("0")]


def _option(source: Source) -> models.OpcaoTributaria | None:
    """Return Simples or MEI. The registry writes "never" as an exclusion on the day of the option."""
    chosen = values.read_yes(source.value("optante"))
    if chosen is None:
        return None
    since, until = source.date("data_opcao"), source.date("data_exclusao")
    if since == until:
        return models.OpcaoTributaria(
            optante=chosen, data_opcao=None, data_exclusao=None, data_sem_efeito=since
        )
    return models.OpcaoTributaria(optante=chosen, data_opcao=since, data_exclusao=until)


def _partners(rows: list[Source]) -> list[models.Socio]:
    """Return the partners by name, as providers disagree on their order, without rows that have none.

    Some sources send one twice; partners that are equal in every field are one.
    """
    partners = {_partner(row, name) for row in rows if (name := row.text("nome"))}
    return sorted(partners, key=lambda p: (p.nome, p.documento or "", p.model_dump_json()))


def _partner(row: Source, name: str) -> models.Socio:
    country, country_name = row.country()
    return models.Socio(
        nome=name,
        tipo=_PARTNER_KINDS.get(tables.fold(row.text("tipo") or "")),
        documento=read_document(row.value("documento")),
        qualificacao=_coded(row, "qualificacoes_socio", "qualificacao"),
        data_entrada=row.date("data_entrada"),
        faixa_etaria=values.read_age_band(row.value("faixa_etaria")),
        pais=country_name,
        pais_codigo=country,
        representante_legal=_representative(row.part("representante_legal")),
    )


def _representative(source: Source) -> models.Representante | None:
    name, document = source.text("nome"), read_document(source.value("documento"))
    role = _coded(source, "qualificacoes_socio", "qualificacao")
    if name is None and document is None:
        return None
    return models.Representante(nome=name, documento=document, qualificacao=role)


def _registrations(source: Source) -> list[models.InscricaoEstadual] | None:
    """Return state registrations by state and number; ``None`` where the answer has no such field."""
    if source.part("inscricoes_estaduais").value("rows") is None:
        return None
    found = {
        models.InscricaoEstadual(uf=row.text("uf"), numero=number, ativa=values.read_yes(row.value("ativa")))
        for row in source.rows("inscricoes_estaduais")
        if (number := values.read_registration(row.value("numero")))
    }
    return sorted(found, key=lambda r: (r.uf or "", r.numero, str(r.ativa)))
