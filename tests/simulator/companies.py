"""The companies of the simulator: invented from their numbers, the same in every run.

A number that begins with 99 belongs to nobody; one that begins with 98 is younger than the monthly
dumps, so that only the fresher providers know it. Numbers of recorded answers have those.
"""

import random
from functools import cache
from pathlib import Path
from typing import Any

from brskills_server.registry import tables
from taxid import cnpj

DATA = Path(__file__).parents[1] / "data" / "registry"
DUMPS = {"receita", "opencnpj", "brasilapi", "minhareceita", "cnpjws"}

Json = dict[str, Any]


def numbers(root: str, count: int) -> list[str]:
    """The canonical numbers of a company's first establishments. ``root``: its eight digits."""
    bodies = [f"{root}{n:04}" for n in range(1, count + 1)]
    return [
        next(f"{body}{digits:02}" for digits in range(100) if cnpj.is_valid(f"{body}{digits:02}"))
        for body in bodies
    ]


def exists(provider: str, cnpj: str) -> bool:
    """Whether a provider truly knows a number."""
    return not cnpj.startswith("99") and not (cnpj.startswith("98") and provider in DUMPS)


@cache
def recorded() -> dict[tuple[str, str], bytes]:
    """The recorded answers with status 200, by provider and number."""
    numbers = {
        "opencnpj/bb_filial_ALFANUMERICO_2026-10-01": "00000000E08G12",
        "opencnpj/petrobras_readme": "33000167000101",
        "brasilapi/petrobras_2026-10-08": "33000167000101",
        "brasilapi/google": "06990590000123",
        "brasilapi/okbr_docs": "19131243000197",
        "brasilapi/shehrazade_filial": "33050246003142",
        "brasilapi/vipmedic_data_situacao_null": "07038163000102",
        "minhareceita/okbr_matriz": "19131243000197",
        "cnpja/clinica_filial_baixada_2024-09": "02741897000300",
        "cnpjws/dbone_epp_simples_2026-08": "05525406000101",
        "cnpjws/ex_mei_baixado_sem_socios_2026-08": "15603140000121",
        "receitaws/globo_2022": "27865757000102",
        "receitaws/mei_baixada_sem_capital_2024": "12345678000195",
    }
    return {
        (name.partition("/")[0], number): (DATA / f"{name}.json").read_bytes()
        for name, number in numbers.items()
    }


def coded(table: str, code: str) -> Json:
    """A code with its official text."""
    return {"codigo": code, "descricao": tables.description(table, code)}


def option(chosen: bool, since: str | None = None, until: str | None = None, void: str | None = None) -> Json:
    """Simples or MEI."""
    return {"optante": chosen, "data_opcao": since, "data_exclusao": until, "data_sem_efeito": void}


def company(cnpj: str) -> Json:
    """A canonical record, without its provenance."""
    chance = random.Random(cnpj)
    state = chance.choice(["02", "02", "02", "08"])
    start = f"20{chance.randrange(0, 24):02}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    size = chance.choice(["00", "01", "03", "05"])
    return {
        "cnpj": cnpj,
        "matriz": cnpj[8:12] == "0001",
        "razao_social": f"EMPRESA FICTICIA {cnpj[:8]} LTDA",
        "nome_fantasia": chance.choice([None, "LOJA DE EXEMPLO"]),
        "situacao_cadastral": {
            **coded("situacoes", state),
            "data": start,
            "motivo": coded("motivos", "00" if state == "02" else "01"),
        },
        "natureza_juridica": coded("naturezas_juridicas", "2062"),
        "qualificacao_do_responsavel": coded("qualificacoes_socio", "49"),
        "porte": coded("portes", size),
        "capital_social": f"{chance.randrange(1, 10**9)}.{chance.randrange(100):02}",
        "data_inicio_atividade": start,
        "cnae_principal": coded("cnaes", "0600001"),
        "cnaes_secundarios": [coded("cnaes", "6201501"), coded("cnaes", "9493600")],
        "endereco": {
            "tipo_logradouro": "RUA",
            "logradouro": "DOS EXEMPLOS",
            "numero": chance.choice(["07", "00236", "S/N"]),
            "complemento": chance.choice([None, "SALA 1"]),
            "bairro": "CENTRO",
            "cep": "01001000",
            "municipio": "SAO PAULO",
            "codigo_ibge": "3550308",
            "codigo_siafi": "7107",
            "uf": "SP",
            "pais": None,
            "pais_codigo": None,
            "cidade_exterior": None,
        },
        "telefones": [{"ddd": "11", "numero": "55550100"}],
        "fax": {"ddd": "11", "numero": "55550199"},
        "email": "contato@example.com",
        "simples": option(True, start),
        "mei": option(False),
        "socios": [
            {
                "nome": name,
                "tipo": "PF",
                "documento": f"***{chance.randrange(1, 10**6):06}**",
                "qualificacao": coded("qualificacoes_socio", "49"),
                "data_entrada": start,
                "faixa_etaria": "41 a 50 anos",
                "pais": None,
                "pais_codigo": None,
                "representante_legal": None,
            }
            for name in ("ALICE DE EXEMPLO", "BRUNO DE EXEMPLO")
        ],
        "situacao_especial": None,
        "data_situacao_especial": None,
        "ente_federativo": None,
        "inscricoes_estaduais": [
            {"uf": "SP", "numero": f"{chance.randrange(10**12):012}", "ativa": state == "02"}
        ],
    }
