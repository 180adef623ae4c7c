"""What must be read out of the files: the canonical record of each number, made from the company itself.

Written beside the project's own reading, not by it: only the official texts of codes are shared.
"""

import json
import re
from datetime import date
from typing import Any

from brskills_server.registry.tables import ibge_code
from taxid import cpf
from tests.register.layout import description
from tests.register.model import Branch, Company, Option, Partner

Json = dict[str, Any]

_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0]+")
_CPF = re.compile(r"(?<!\d)(\d{3})[-. ]?(\d{3})[-. ]?(\d{3})[-./ ]?(\d{2})(?!\d)")
_SENTINEL = "999999999999,00"
_KINDS = {"1": "PJ", "2": "PF", "3": "ESTRANGEIRO"}
_AGES = ("0 a 12", "13 a 20", "21 a 30", "31 a 40", "41 a 50", "51 a 60", "61 a 70", "71 a 80")
_AGE_BANDS = {str(n): f"{ages} anos" for n, ages in enumerate(_AGES, 1)} | {"9": "mais de 80 anos"}


def records(company: Company, day: date) -> dict[str, Json]:
    """Return the records of all establishments of a company, by their numbers."""
    found = [record(company, branch, day) for branch in company.branches]
    return {one["cnpj"]: one for one in found}


def record(company: Company, branch: Branch, day: date) -> Json:
    """Return the record of one establishment in the files of a day, as ``Record`` has it in JSON."""
    capital = _capital(company.capital)
    return {
        "cnpj": (company.root + branch.order + branch.digits).upper(),
        "matriz": {"1": True, "2": False}.get(branch.head_office),
        "razao_social": _text(company.name),
        "nome_fantasia": _text(branch.trade_name),
        "situacao_cadastral": {
            **(_coded("situacoes", branch.state, 2) or {"codigo": None, "descricao": None}),
            "data": _day(branch.state_date),
            "motivo": _coded("motivos", branch.reason, 2),
        },
        "natureza_juridica": _coded("naturezas_juridicas", company.nature, 4),
        "qualificacao_do_responsavel": _coded("qualificacoes_socio", company.responsible, 2),
        "porte": _coded("portes", company.size, 2),
        "capital_social": capital,
        "capital_social_precisao": capital and "exata",
        "data_inicio_atividade": _day(branch.opened),
        "cnae_principal": next(iter(_activities(branch.activity)), None),
        "cnaes_secundarios": _activities(branch.other_activities),
        "endereco": _address(branch),
        "telefones": _phones((branch.area_1, branch.phone_1), (branch.area_2, branch.phone_2)),
        "fax": next(iter(_phones((branch.fax_area, branch.fax))), None),
        "email": _text(branch.email),
        "simples": _option(company.simples),
        "mei": _option(company.mei),
        "socios": _partners(company.partners),
        "situacao_especial": _text(branch.special_state),
        "data_situacao_especial": _day(branch.special_date),
        "ente_federativo": _text(company.jurisdiction),
        "inscricoes_estaduais": None,
        "fonte": "receita",
        "data_base": day.isoformat(),
    }


def _address(branch: Branch) -> Json:
    municipality = _code(branch.municipality, 4)
    if municipality == "0000":
        municipality = None
    postcode = _code(branch.postcode, 8)
    return {
        "tipo_logradouro": _text(branch.street_type),
        "logradouro": _text(branch.street),
        "numero": _text(branch.street_number),
        "complemento": _text(branch.complement),
        "bairro": _text(branch.district),
        "cep": None if postcode == "00000000" else postcode,
        "municipio": municipality and description("municipios_siafi", municipality),
        "codigo_ibge": municipality and ibge_code(municipality, _text(branch.uf) or ""),
        "codigo_siafi": municipality,
        "uf": _text(branch.uf),
        "pais": _country(branch.country),
        "pais_codigo": _code(branch.country, 3),
        "cidade_exterior": _text(branch.city_abroad),
    }


def _phones(*pairs: tuple[str, str]) -> list[Json]:
    bare = dict.fromkeys(
        (re.sub(r"^0+|\D", "", area.strip()), re.sub(r"\D", "", number)) for area, number in pairs
    )
    return [
        {"ddd": area if len(area) == 2 else None, "numero": number}
        for area, number in bare
        if int(number or 0)
    ]


def _activities(text: str) -> list[Json]:
    codes = [_code(part, 7) for part in text.split(",")]
    return [{"codigo": c, "descricao": description("cnaes", c)} for c in codes if c and c != "0000000"]


def _option(option: Option | None) -> Json | None:
    if option is None or option.chosen not in ("S", "N"):
        return None
    since, until, void = _day(option.since), _day(option.until), None
    if since == until:  # the registry's way to say "never"
        since, until, void = None, None, since
    return {
        "optante": option.chosen == "S",
        "data_opcao": since,
        "data_exclusao": until,
        "data_sem_efeito": void,
    }


def _partners(partners: tuple[Partner, ...]) -> list[Json]:
    """Return each once, by name, without those that have no name."""
    found = [_partner(partner) for partner in dict.fromkeys(partners)]
    return sorted((one for one in found if one["nome"]), key=_place)


def _place(partner: Json) -> tuple[str, str, str]:
    written = json.dumps(partner, ensure_ascii=False, separators=(",", ":"))
    return partner["nome"], partner["documento"] or "", written


def _partner(partner: Partner) -> Json:
    name, document = _text(partner.agent_name), _document(partner.agent_document)
    agent = {
        "nome": name,
        "documento": document,
        "qualificacao": _coded("qualificacoes_socio", partner.agent_role, 2),
    }
    return {
        "nome": _text(partner.name),
        "tipo": _KINDS.get(partner.kind),
        "documento": _document(partner.document),
        "qualificacao": _coded("qualificacoes_socio", partner.role, 2),
        "data_entrada": _day(partner.since),
        "faixa_etaria": _AGE_BANDS.get(partner.age_band),
        "pais": _country(partner.country),
        "pais_codigo": _code(partner.country, 3),
        "representante_legal": agent if name or document else None,
    }


def _document(text: str) -> str | None:
    """Return a CNPJ as it is, a CPF by its middle six digits, and `None` for the marks of nobody."""
    if re.fullmatch(r"[0-9A-Za-z]{12}\d{2}", text):
        return text.upper()
    if match := re.fullmatch(r"\*{3}(\d{6})\*{2}|\d{3}(\d{6})\d{2}", text):
        six = match[1] or match[2]
        return None if six == "000000" else f"***{six}**"
    return None


def _text(text: str) -> str | None:
    plain = _BLANKS.sub(" ", text).strip()
    return _CPF.sub(_hidden, plain) if plain.strip("*") else None


def _hidden(match: re.Match[str]) -> str:
    digits = "".join(match.groups())
    spaced = " " in match[0]  # may be anything in groups of three, but for its check digits
    return match[0] if spaced and not cpf.is_valid(digits) else f"***{digits[3:9]}**"


def _code(text: str, width: int) -> str | None:
    plain = _BLANKS.sub("", text)
    return plain.zfill(width) if re.fullmatch(rf"[0-9]{{1,{width}}}", plain) else None


def _coded(table: str, text: str, width: int) -> Json | None:
    code = _code(text, width)
    return code and {"codigo": code, "descricao": description(table, code)}  # type: ignore[return-value]


def _country(text: str) -> str | None:
    code = _code(text, 3)
    return code and description("paises", code)


def _day(text: str) -> str | None:
    parts = re.fullmatch(r"([0-9]{4})([0-9]{2})([0-9]{2})", _BLANKS.sub("", text))
    try:
        return date(*map(int, parts.groups())).isoformat() if parts else None
    except ValueError:
        return None


def _capital(text: str) -> str | None:
    if text == _SENTINEL or not re.fullmatch(r"\d{1,18},\d{2}", text):
        return None
    reais, cents = text.split(",")
    return f"{int(reais)}.{cents}"
