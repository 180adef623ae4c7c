"""The truth is a record, and the one that the project's own reading of providers makes of the same values."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.registry import tables
from brskills_server.registry.company import Record
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.reading.fields import same
from brskills_server.registry.providers.reading.reader import read_record
from tests.register.company import FIRST, invent
from tests.register.defect import Defect, written
from tests.register.defects import ALL
from tests.register.model import Branch, Company
from tests.register.truth import record, records

DAY = date(2026, 9, 12)
READABLE = [defect for defect in ALL.values() if not defect.name.startswith("capital")]


def coded(name: str, table: str) -> dict[str, Any]:
    """A code, and the text that the month's tables have for it."""
    return {"codigo": name, "descricao": lambda answer: {"97": "MOTIVO NOVO DE EXEMPLO"}.get(answer[name])}


FIELDS: dict[str, Any] = {
    "cnpj": "number",
    "matriz": "head_office",
    "razao_social": "name",
    "nome_fantasia": "trade_name",
    "situacao_cadastral": {"codigo": "state", "data": "state_date", "motivo": coded("reason", "motivos")},
    "natureza_juridica": {"codigo": "nature"},
    "porte": {"codigo": "size"},
    "capital_social": "capital",
    "data_inicio_atividade": "opened",
    "cnae_principal": {"codigo": "activity"},
    "cnaes_secundarios": {
        "rows": lambda answer: [{"codigo": code} for code in answer["other_activities"].split(",")],
        "codigo": "codigo",
    },
    "endereco": {
        "tipo_logradouro": "street_type",
        "logradouro": "street",
        "numero": "street_number",
        "complemento": "complement",
        "bairro": "district",
        "cep": "postcode",
        "uf": "uf",
        "codigo_siafi": "municipality",
        "codigo_ibge": lambda answer: tables.ibge_code(
            answer["municipality"].zfill(4), " ".join(answer["uf"].split())
        ),
        "municipio": lambda answer: tables.description("municipios_siafi", answer["municipality"].zfill(4)),
        "pais": {"codigo": "country"},
    },
    "telefones": {
        "rows": lambda answer: [{"ddd": answer[f"area_{n}"], "numero": answer[f"phone_{n}"]} for n in (1, 2)],
        **same("ddd", "numero"),
    },
    "email": "email",
    "simples": {"optante": "simples.chosen", "data_opcao": "simples.since", "data_exclusao": "simples.until"},
    "mei": {"optante": "mei.chosen", "data_opcao": "mei.since", "data_exclusao": "mei.until"},
    "socios": {
        "rows": "partners",
        "nome": "name",
        "tipo": "kind",
        "documento": "document",
        "qualificacao": {"codigo": "role"},
        "data_entrada": "since",
        "faixa_etaria": "age_band",
        "pais": {"codigo": "country"},
        "representante_legal": {
            "nome": "agent_name",
            "documento": "agent_document",
            "qualificacao": {"codigo": "agent_role"},
        },
    },
    "situacao_especial": "special_state",
    "ente_federativo": "jurisdiction",
    "data_base": "day",
}
RECEITA = Provider(id="receita", group="receita", base_url="", path="", timeout=1.0, fields=FIELDS)


def answer(company: Company, branch: Branch) -> dict[str, Any]:
    """The published values as a provider's answer."""
    return {
        **company._asdict(),
        **branch._asdict(),
        "number": company.root + branch.order + branch.digits,
        "simples": company.simples and company.simples._asdict(),
        "mei": company.mei and company.mei._asdict(),
        "partners": [partner._asdict() for partner in company.partners],
        "day": DAY.isoformat(),
    }


@pytest.mark.parametrize("defect", [None, *READABLE], ids=lambda defect: getattr(defect, "name", "none"))
@settings(max_examples=10)
@given(seed=st.integers(0, 99), number=st.integers(0, 3_000))
def test_it_is_what_the_projects_own_reading_makes_of_the_values(
    defect: Defect | None, seed: int, number: int
) -> None:
    company = written(invent(seed, FIRST + number), defect, seed).company
    for branch in company.branches[:5]:
        read = read_record(RECEITA, answer(company, branch)).model_dump(mode="json")
        assert record(company, branch, DAY) == read


@pytest.mark.parametrize("defect", ALL.values(), ids=ALL)
def test_it_is_a_record_as_it_is_served(defect: Defect) -> None:
    company = written(invent(3, FIRST + 12, branches=3, partners=4), defect).company
    found = records(company, DAY)
    assert list(found) == company.numbers()
    for one in found.values():
        assert Record.model_validate(one).model_dump(mode="json") == one


def test_the_mark_for_an_unknown_capital_is_none() -> None:
    company = invent(1, FIRST)._replace(capital="999999999999,00")
    found = record(company, company.branches[0], DAY)
    assert found["capital_social"] is found["capital_social_precisao"] is None
    exact = record(company._replace(capital="205431960490,52"), company.branches[0], DAY)
    assert (exact["capital_social"], exact["capital_social_precisao"]) == ("205431960490.52", "exata")


def test_a_partner_that_stands_twice_is_one() -> None:
    company = invent(1, FIRST, partners=2)
    twice = company._replace(partners=company.partners * 2)
    assert record(twice, company.branches[0], DAY) == record(company, company.branches[0], DAY)
