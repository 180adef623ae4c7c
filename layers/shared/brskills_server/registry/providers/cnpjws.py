"""CNPJ.ws: the monthly dump by company, with codes of every kind; three calls a minute.

https://docs.cnpj.ws/referencia-de-api/api-publica/consultando-cnpj — the capital is exact, the
situação may be an empty text, ``simples`` may be null, qualifications end in a space. Over 360 calls
an hour it blocks an address for an hour, which three a minute never reach.

The paid address (https://docs.cnpj.ws, "API Comercial") takes the same path and returns the same fields. The
age of its data is not documented; each record has its date.
"""

from dataclasses import replace

from brskills_server.registry.providers.fields import find, official, same
from brskills_server.registry.providers.provider import FieldMap, Json, Paid, Provider

_BRANCH = "estabelecimento"


def _coded(path: str) -> FieldMap:
    return {"codigo": f"{path}.id", "descricao": f"{path}.descricao"}


def _city(answer: Json) -> tuple[str | None, str | None]:
    """Return the municipality's code and name as SIAFI writes it; CNPJ.ws sends title case."""
    code, name = (find(answer, f"{_BRANCH}.cidade.{field}") for field in ("siafi_id", "nome"))
    return official("municipios_siafi", code, name)


def _phones(answer: Json) -> list[Json]:
    return [
        {"ddd": find(answer, f"{_BRANCH}.ddd{n}"), "numero": find(answer, f"{_BRANCH}.telefone{n}")}
        for n in (1, 2)
    ]


def _option(name: str) -> FieldMap:
    dates = {date: f"simples.{date}_{name}" for date in ("data_opcao", "data_exclusao")}
    return {"optante": f"simples.{name}", **dates}


_FIELDS: FieldMap = {
    **same("razao_social", "capital_social"),
    **same("cnpj", "nome_fantasia", "data_inicio_atividade", "email", within=_BRANCH),
    **same("situacao_especial", "data_situacao_especial", within=_BRANCH),
    "matriz": f"{_BRANCH}.tipo",
    "situacao_cadastral": {
        "descricao": f"{_BRANCH}.situacao_cadastral",
        "data": f"{_BRANCH}.data_situacao_cadastral",
        "motivo": _coded(f"{_BRANCH}.motivo_situacao_cadastral"),
    },
    "natureza_juridica": _coded("natureza_juridica"),
    "qualificacao_do_responsavel": _coded("qualificacao_do_responsavel"),
    "porte": _coded("porte"),
    "cnae_principal": _coded(f"{_BRANCH}.atividade_principal"),
    "cnaes_secundarios": {"rows": f"{_BRANCH}.atividades_secundarias", "codigo": "id", **same("descricao")},
    "endereco": {
        **same("tipo_logradouro", "logradouro", "numero", "complemento", "bairro", "cep", within=_BRANCH),
        "municipio": lambda answer: _city(answer)[1],
        "codigo_ibge": f"{_BRANCH}.cidade.ibge_id",
        "codigo_siafi": lambda answer: _city(answer)[0],
        "uf": f"{_BRANCH}.estado.sigla",
        "pais": {"codigo": f"{_BRANCH}.pais.comex_id", "descricao": f"{_BRANCH}.pais.nome"},
        "cidade_exterior": f"{_BRANCH}.nome_cidade_exterior",
    },
    "telefones": {"rows": _phones, **same("ddd", "numero")},
    "fax": {"ddd": f"{_BRANCH}.ddd_fax", "numero": f"{_BRANCH}.fax"},
    "simples": _option("simples"),
    "mei": _option("mei"),
    "socios": {
        "rows": "socios",
        **same("nome", "tipo", "data_entrada", "faixa_etaria"),
        "documento": "cpf_cnpj_socio",
        "qualificacao": _coded("qualificacao_socio"),
        "pais": {"codigo": "pais.comex_id", "descricao": "pais.nome"},
        "representante_legal": {
            "nome": "nome_representante",
            "documento": "cpf_representante_legal",
            "qualificacao": _coded("qualificacao_representante"),
        },
    },
    "ente_federativo": "responsavel_federativo",
    "inscricoes_estaduais": {
        "rows": f"{_BRANCH}.inscricoes_estaduais",
        "uf": "estado.sigla",
        "numero": "inscricao_estadual",
        "ativa": "ativo",
    },
    "data_base": f"{_BRANCH}.atualizado_em",
}

PROVIDER = Provider(
    id="cnpjws",
    group="cnpjws",
    base_url="https://publica.cnpj.ws",
    path="/cnpj/{cnpj}",
    timeout=4.0,
    fields=_FIELDS,
    per_minute=3,
    monthly_dump=True,
)

PAID = replace(
    PROVIDER,
    base_url="https://comercial.cnpj.ws",
    per_minute=None,  # as the plan allows, which only a 429 shows
    paid=Paid("x_api_token"),
)
