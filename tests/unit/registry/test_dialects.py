"""One branch in every provider's dialect gives the same record, without the fields that a provider lacks."""

import json
from copy import deepcopy
from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.registry.company import Record
from brskills_server.registry.lookup.conclusions import with_exact_capital
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reader import read_record
from tests.simulator.companies import coded, company
from tests.simulator.dialects import DIALECTS

Json = dict[str, Any]

CNPJS = st.from_regex(r"[0-9A-Z]{12}[0-9]{2}", fullmatch=True)
DAYS = st.dates(min_value=date(1900, 1, 1)).map(str)
WORDS = st.from_regex(r"[A-Z][A-Z]{0,8}( [A-Z]{1,8}){0,3}", fullmatch=True)


def codes(table: str, *values: str) -> st.SearchStrategy[Json]:
    return st.sampled_from(values).map(lambda code: coded(table, code))


@st.composite
def options(draw: st.DrawFn) -> Json | None:
    opted = draw(st.sampled_from([None, True, False]))
    if opted is None:
        return None
    start, end = sorted([draw(DAYS), draw(DAYS)])
    if opted or start == end:
        return {"optante": opted, "data_opcao": start if opted else None, "data_exclusao": None}
    return {"optante": False, "data_opcao": start, "data_exclusao": end}


PARTNERS = st.fixed_dictionaries(
    {
        "nome": WORDS,
        "tipo": st.just("PF"),
        "documento": st.from_regex(r"\*{3}[0-9]{5}[1-9]\*{2}", fullmatch=True),
        "qualificacao": codes("qualificacoes_socio", "05", "10", "22", "29", "37", "49", "65"),
        "data_entrada": DAYS,
        "faixa_etaria": st.sampled_from([None, "31 a 40 anos", "mais de 80 anos"]),
        "pais": st.sampled_from(["ESTADOS UNIDOS", "PORTUGAL"]),
        "representante_legal": st.none()
        | st.fixed_dictionaries(
            {
                "nome": WORDS,
                "documento": st.just("***123456**"),
                "qualificacao": codes("qualificacoes_socio", "17"),
            }
        ),
    }
)

REGISTRATIONS = st.fixed_dictionaries(
    {
        "uf": st.sampled_from(["ES", "MT", "SP"]),
        "numero": st.from_regex(r"P[0-9]{8,14}|[0-9]{8,10}|[0-9]{12,14}", fullmatch=True),
        "ativa": st.booleans(),
    }
)


@st.composite
def companies(draw: st.DrawFn) -> Json:
    made = company(draw(CNPJS))
    made |= {
        "matriz": draw(st.booleans()),
        "razao_social": draw(WORDS),
        "nome_fantasia": draw(st.none() | WORDS),
        "natureza_juridica": draw(codes("naturezas_juridicas", "2062", "2135", "3999", "0000", "3271")),
        "porte": draw(codes("portes", "00", "01", "03", "05")),
        "capital_social": str(draw(st.decimals(0, 10**13, places=2))),
        "data_inicio_atividade": draw(DAYS),
        "simples": draw(options()),
        "mei": draw(options()),
        "socios": draw(st.lists(PARTNERS, max_size=4, unique_by=lambda partner: partner["nome"])),
        "ente_federativo": draw(st.none() | WORDS),
        "inscricoes_estaduais": sorted(
            draw(st.lists(REGISTRATIONS, max_size=3, unique_by=lambda row: row["numero"])),
            key=lambda row: (row["uf"], row["numero"]),
        ),
    }
    state = draw(codes("situacoes", "01", "02", "03", "04", "08"))
    made["situacao_cadastral"] = {
        **state,
        "data": draw(DAYS),
        "motivo": draw(codes("motivos", "00", "01", "63")),
    }
    made["socios"].sort(key=lambda partner: partner["nome"])
    return made


def read(provider: str, expected: Json) -> Json:
    answer = json.loads(json.dumps(DIALECTS[provider](expected)), parse_float=Decimal)
    return json.loads(read_record(PROVIDERS[provider], answer).model_dump_json())


def without(known: Json, provider: str) -> Json:
    """Return the fields of a company that the provider has, in its form."""
    expected = deepcopy(known)
    place = expected["endereco"]
    if provider not in {"cnpja", "cnpjws"}:
        expected["inscricoes_estaduais"] = None
    match provider:
        case "brasilapi" | "minhareceita":
            expected["email"] = None
            place["pais"] = None
        case "opencnpj":
            place["codigo_ibge"] = None
        case "cnpjws":
            place["pais"] = "BRASIL"
        case "cnpja" | "receitaws":
            place["logradouro"] = f"{place['tipo_logradouro']} {place['logradouro']}"
            place["tipo_logradouro"] = place["codigo_siafi"] = None
    if provider == "cnpja":
        place["pais"] = "BRASIL"
        for option in (expected["simples"] or {}, expected["mei"] or {}):
            option |= {"data_exclusao": None} if option else {}
    if provider == "receitaws":
        place["codigo_ibge"] = None
        for partner in expected["socios"]:
            partner |= {"tipo": None, "documento": None, "data_entrada": None, "faixa_etaria": None}
            agent = partner["representante_legal"]
            if agent:
                agent["documento"] = None
    return expected


@settings(max_examples=30)
@given(known=companies())
def test_every_provider_gives_the_same_record(known: Json) -> None:
    for provider in REMOTE_IDS:
        check(provider, known)


def check(provider: str, known: Json) -> None:
    got = read(provider, known)
    precision = got.pop("capital_social_precisao")
    capital = got.pop("capital_social")
    expected = without(known, provider)
    exact = expected.pop("capital_social")
    assert got.pop("fonte") == provider
    del got["data_base"]
    assert got == expected
    if precision == "exata":
        assert capital == exact
    else:
        assert provider in {"brasilapi", "minhareceita"}
        assert Decimal(exact) >= 131_072 - 1
        assert abs(Decimal(capital) - Decimal(exact)) <= Decimal(exact) / 2**23


@settings(max_examples=40)
@given(amount=st.decimals(0, 10**13, places=2))
def test_an_exact_answer_at_hand_makes_the_capital_exact(amount: Decimal) -> None:
    known = company("11222333000181") | {"capital_social": str(amount)}
    rough, exact = (
        read_record(PROVIDERS[p], json.loads(json.dumps(DIALECTS[p](known)), parse_float=Decimal))
        for p in ("brasilapi", "opencnpj")
    )
    better = with_exact_capital(rough, [exact])
    assert (better.capital_social, better.capital_social_precisao) == (str(amount), "exata")
    assert isinstance(better, Record)


def test_another_capital_is_no_help() -> None:
    known = company("11222333000181") | {"capital_social": "400000000.55"}
    rough = read_record(PROVIDERS["brasilapi"], DIALECTS["brasilapi"](known))
    other = read_record(
        PROVIDERS["opencnpj"], DIALECTS["opencnpj"](known | {"capital_social": "500000000.00"})
    )
    assert with_exact_capital(rough, [other]) == rough
