"""One branch in every provider's dialect gives the same record, without the fields that a provider lacks."""

import json
from copy import deepcopy
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from brskills_server.registry.company import Record
from brskills_server.registry.lookup.conclusions import with_exact_capital
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reader import read_record
from tests.simulator.companies import coded, company
from tests.simulator.companies import option as tax_option
from tests.simulator.dialects import DIALECTS

Json = dict[str, Any]


def day(chance: Random) -> str:
    return f"{chance.randrange(1900, 2100)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"


def option(chance: Random) -> Json | None:
    start, end = sorted([day(chance), day(chance)])
    return chance.choice([
        None,
        tax_option(False),
        tax_option(True, start),
        tax_option(False, start, end),
        tax_option(False, void=start),
    ])  # fmt: skip


def partner(name: str, chance: Random) -> Json:
    agent = {"nome": "ANA", "documento": "***123456**", "qualificacao": coded("qualificacoes_socio", "17")}
    return {
        "nome": name,
        "tipo": "PF",
        "documento": f"***{chance.randrange(1, 10**6):06}**",
        "qualificacao": coded("qualificacoes_socio", chance.choice(["05", "10", "22", "49", "65"])),
        "data_entrada": day(chance),
        "faixa_etaria": chance.choice([None, "31 a 40 anos", "mais de 80 anos"]),
        **chance.choice(
            [
                {"pais": "ESTADOS UNIDOS", "pais_codigo": "249"},
                {"pais": "PORTUGAL", "pais_codigo": "607"},
            ]
        ),
        "representante_legal": chance.choice([None, agent]),
    }


NATURES = ("2062", "2135", "3999", "0000", "3271")


def varied(chance: Random) -> Json:
    """Return a company that differs from others wherever the dialects may."""
    letters = "".join(chance.choices("0123456789ABCXYZ", k=12))
    registrations = [
        {"uf": chance.choice(["ES", "MT"]), "numero": number, "ativa": chance.choice([True, False])}
        for number in ("P0110042431", "082200904", "106700710118")[: chance.randrange(4)]
    ]
    known = company(f"{letters}{chance.randrange(100):02}")
    fax = {"ddd": "21", "numero": f"5555{chance.randrange(10**4):04}"}
    return known | {
        "endereco": known["endereco"] | {"cidade_exterior": chance.choice([None, "MONTEVIDEO"])},
        "fax": chance.choice([None, fax]),
        "qualificacao_do_responsavel": coded("qualificacoes_socio", chance.choice(["05", "49", "50"])),
        "situacao_especial": (special := chance.choice([None, "FALIDO"])),
        "data_situacao_especial": special and day(chance),
        "matriz": chance.choice([True, False]),
        "nome_fantasia": chance.choice([None, "LOJA"]),
        "natureza_juridica": coded("naturezas_juridicas", chance.choice(NATURES)),
        "porte": coded("portes", chance.choice(["00", "01", "03", "05"])),
        "capital_social": f"{chance.randrange(10 ** chance.randrange(1, 14))}.{chance.randrange(100):02}",
        "data_inicio_atividade": day(chance),
        "simples": option(chance),
        "mei": option(chance),
        "socios": [partner(name, chance) for name in ("ALICE", "BRUNO", "CARLA")[: chance.randrange(4)]],
        "ente_federativo": chance.choice([None, "UNIÃO"]),
        "inscricoes_estaduais": sorted(registrations, key=lambda row: (row["uf"], row["numero"])),
        "situacao_cadastral": {
            **coded("situacoes", chance.choice(["01", "02", "03", "04", "08"])),
            "data": day(chance),
            "motivo": coded("motivos", chance.choice(["00", "01", "63"])),
        },
    }


def read(provider: str, known: Json) -> Record:
    answer = json.loads(json.dumps(DIALECTS[provider](known)), parse_float=Decimal)
    return read_record(PROVIDERS[provider], answer)


def without(known: Json, provider: str) -> Json:
    """Return the fields of a company that the provider has, in its form."""
    expected = deepcopy(known)
    place = expected["endereco"]
    if provider not in {"cnpja", "cnpjws"}:
        expected["inscricoes_estaduais"] = None
    if provider in {"cnpja", "receitaws"}:
        expected["qualificacao_do_responsavel"] = place["cidade_exterior"] = None
    if provider == "receitaws":
        expected["fax"] = None
    match provider:
        case "brasilapi" | "minhareceita":
            expected["email"] = None
            place["pais"] = None
        case "cnpjws":
            place |= {"pais": "BRASIL", "pais_codigo": "105"}
        case "cnpja" | "receitaws":
            place["logradouro"] = f"{place['tipo_logradouro']} {place['logradouro']}"
            place["tipo_logradouro"] = None
    if provider == "cnpja":
        place |= {"pais": "BRASIL", "pais_codigo": "105"}
        for option in (expected["simples"] or {}, expected["mei"] or {}):
            option |= {"data_exclusao": None, "data_sem_efeito": None} if option else {}
    if provider == "receitaws":
        for partner in expected["socios"]:
            partner |= {"tipo": None, "documento": None, "data_entrada": None, "faixa_etaria": None}
            agent = partner["representante_legal"]
            if agent:
                agent["documento"] = None
    return expected


@pytest.mark.parametrize("provider", REMOTE_IDS)
def test_every_provider_gives_the_same_record(provider: str) -> None:
    for seed in range(40):
        known = varied(Random(seed))
        got = json.loads(read(provider, known).model_dump_json())
        precision, capital = got.pop("capital_social_precisao"), Decimal(got.pop("capital_social"))
        expected = without(known, provider)
        exact = Decimal(expected.pop("capital_social"))
        assert got.pop("fonte") == provider
        del got["data_base"]
        assert got == expected, seed
        if precision == "exata":
            assert capital == exact
        else:
            assert provider in {"brasilapi", "minhareceita"}
            assert exact >= 131_072 - 1
            assert abs(capital - exact) <= exact / 2**23


@pytest.mark.parametrize("seed", range(40))
def test_an_exact_answer_at_hand_makes_the_capital_exact(seed: int) -> None:
    known = varied(Random(seed))
    rough, exact = read("brasilapi", known), read("opencnpj", known)
    better = with_exact_capital(rough, [exact])
    assert (better.capital_social, better.capital_social_precisao) == (known["capital_social"], "exata")


def test_another_capital_is_no_help() -> None:
    known = company("11222333000181") | {"capital_social": "400000000.55"}
    other = read("opencnpj", known | {"capital_social": "500000000.00"})
    rough = read("brasilapi", known)
    assert with_exact_capital(rough, [other]) == rough
    exact, rounded = (
        read("opencnpj", known | {"capital_social": amount}) for amount in ("400000000.55", "400000000.00")
    )
    assert with_exact_capital(exact, [rounded]) == exact
