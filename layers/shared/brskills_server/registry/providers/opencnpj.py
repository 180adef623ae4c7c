"""OpenCNPJ: the monthly dump as static shards; fast, without a published limit.

https://opencnpj.org — the capital is exact ("120000000000,00"). Natureza, porte, situação and the
qualification of partners are texts only, so their codes come from the official tables; ``/info`` has
the date of the dump. Some cloud addresses get a challenge page with status 403.
"""

from brskills_server.registry.providers.fields import find, same
from brskills_server.registry.providers.provider import DumpDate, FieldMap, Json, Provider
from brskills_server.registry.values import as_list, as_objects, read_text


def _activities(answer: Json, codes: list[object]) -> list[Json]:
    """Return codes with their texts, which are in a separate list."""
    texts = {read_text(row.get("codigo")): row.get("descricao") for row in as_objects(answer.get("cnaes"))}
    return [{"codigo": code, "descricao": texts.get(read_text(code))} for code in codes]


def _phones(answer: Json, *, fax: bool) -> list[Json]:
    return [row for row in as_objects(answer.get("telefones")) if bool(row.get("is_fax")) is fax]


def _option(name: str) -> FieldMap:
    dates = {date: f"{date}_{name}" for date in ("data_opcao", "data_exclusao")}
    return {"optante": f"opcao_{name}", **dates}


_COUNTRY: FieldMap = {
    "codigo": lambda answer: find(answer, "pais.codigo") or answer.get("codigo_pais"),
    "descricao": "pais.descricao",
}
_FIELDS: FieldMap = {
    **same("cnpj", "razao_social", "nome_fantasia", "capital_social", "data_inicio_atividade", "email"),
    **same("situacao_especial", "data_situacao_especial", "ente_federativo"),
    "matriz": "matriz_filial",
    "situacao_cadastral": {
        "descricao": "situacao_cadastral",
        "data": "data_situacao_cadastral",
        "motivo": same("codigo", "descricao", within="motivo_situacao_cadastral"),
    },
    "natureza_juridica": {"descricao": "natureza_juridica"},
    "qualificacao_do_responsavel": same("codigo", "descricao", within="qualificacao_responsavel"),
    "porte": {"descricao": "porte_empresa"},
    "cnae_principal": {
        "rows": lambda answer: _activities(answer, [answer.get("cnae_principal")]),
        **same("codigo", "descricao"),
    },
    "cnaes_secundarios": {
        "rows": lambda answer: _activities(answer, as_list(answer.get("cnaes_secundarios"))),
        **same("codigo", "descricao"),
    },
    "endereco": {
        **same("tipo_logradouro", "logradouro", "numero", "complemento", "bairro", "cep", "municipio", "uf"),
        "codigo_siafi": "codigo_municipio",
        "pais": _COUNTRY,
        "cidade_exterior": "nome_cidade_exterior",
    },
    "telefones": {"rows": lambda answer: _phones(answer, fax=False), **same("ddd", "numero")},
    "fax": {"rows": lambda answer: _phones(answer, fax=True), **same("ddd", "numero")},
    "simples": _option("simples"),
    "mei": _option("mei"),
    "socios": {
        "rows": "QSA",
        "nome": "nome_socio",
        "tipo": "identificador_socio",
        "documento": "cnpj_cpf_socio",
        "qualificacao": {"descricao": "qualificacao_socio"},
        "data_entrada": "data_entrada_sociedade",
        "faixa_etaria": "faixa_etaria",
        "pais": _COUNTRY,
        "representante_legal": {
            "nome": "nome_representante",
            "documento": "representante_legal",
            "qualificacao": same("codigo", "descricao", within="qualificacao_representante"),
        },
    },
}

PROVIDER = Provider(
    id="opencnpj",
    group="opencnpj",
    base_url="https://api.opencnpj.org",
    path="/{cnpj}",
    timeout=3.0,
    fields=_FIELDS,
    monthly_dump=True,
    dump_date=DumpDate("/info", "last_updated"),
)
