"""Minha Receita, the monthly dump, which anyone may serve, and BrasilAPI, which passes on the same answers.

https://docs.minhareceita.org/como-usar/ — no key, no published limit. Codes are integers without leading
zeros, e-mails are never there. The capital is held as a 32-bit float, whose 24 bits cannot represent every
cent from R$ 131,072 on.

https://brasilapi.com.br/docs#tag/CNPJ — no key; its limits are not published, but are enforced. The
date of its data is Minha Receita's. An error page upstream arrives as a JSON *string* with status 200.
"""

from dataclasses import replace

from brskills_server.registry.providers.fields import same
from brskills_server.registry.providers.provider import DumpDate, FieldMap, Json, Provider
from brskills_server.registry.values import split_phone


def _phones(answer: Json) -> list[Json]:
    return [split_phone(answer.get(f"ddd_telefone_{n}")) for n in (1, 2)]


def _option(name: str) -> FieldMap:
    return {
        "optante": f"opcao_pelo_{name}",
        "data_opcao": f"data_opcao_pelo_{name}",
        "data_exclusao": f"data_exclusao_do_{name}",
    }


_FIELDS: FieldMap = {
    **same("cnpj", "razao_social", "nome_fantasia", "capital_social", "data_inicio_atividade", "email"),
    **same("situacao_especial", "data_situacao_especial"),
    "matriz": "identificador_matriz_filial",
    "situacao_cadastral": {
        "codigo": "situacao_cadastral",
        "descricao": "descricao_situacao_cadastral",
        "data": "data_situacao_cadastral",
        "motivo": {
            "codigo": "motivo_situacao_cadastral",
            "descricao": "descricao_motivo_situacao_cadastral",
        },
    },
    "natureza_juridica": {"codigo": "codigo_natureza_juridica", "descricao": "natureza_juridica"},
    "qualificacao_do_responsavel": {"codigo": "qualificacao_do_responsavel"},
    "porte": {"codigo": "codigo_porte", "descricao": "porte"},
    "cnae_principal": {"codigo": "cnae_fiscal", "descricao": "cnae_fiscal_descricao"},
    "cnaes_secundarios": {"rows": "cnaes_secundarios", **same("codigo", "descricao")},
    "endereco": {
        **same("logradouro", "numero", "complemento", "bairro", "cep", "municipio", "uf"),
        "tipo_logradouro": "descricao_tipo_de_logradouro",
        "codigo_ibge": "codigo_municipio_ibge",
        "codigo_siafi": "codigo_municipio",
        "pais": {"codigo": "codigo_pais", "descricao": "pais"},
        "cidade_exterior": "nome_cidade_no_exterior",
    },
    "telefones": {"rows": _phones, **same("ddd", "numero")},
    "fax": {"rows": lambda answer: [split_phone(answer.get("ddd_fax"))], **same("ddd", "numero")},
    "simples": _option("simples"),
    "mei": _option("mei"),
    "socios": {
        "rows": "qsa",
        "nome": "nome_socio",
        "tipo": "identificador_de_socio",
        "documento": "cnpj_cpf_do_socio",
        "qualificacao": {"codigo": "codigo_qualificacao_socio", "descricao": "qualificacao_socio"},
        "data_entrada": "data_entrada_sociedade",
        "faixa_etaria": lambda row: row.get("faixa_etaria") or row.get("codigo_faixa_etaria"),
        "pais": {"codigo": "codigo_pais", "descricao": "pais"},
        "representante_legal": {
            "nome": "nome_representante_legal",
            "documento": "cpf_representante_legal",
            "qualificacao": {
                "codigo": "codigo_qualificacao_representante_legal",
                "descricao": "qualificacao_representante_legal",
            },
        },
    },
    "ente_federativo": "ente_federativo_responsavel",
}

PROVIDER = Provider(
    id="minhareceita",
    group="minhareceita",
    base_url="https://minhareceita.org",
    path="/{cnpj}",
    timeout=6.0,
    fields=_FIELDS,
    capital_exact_below=131_072,
    monthly_dump=True,
    dump_date=DumpDate("/updated", "message"),
)
BRASILAPI = replace(
    PROVIDER,
    id="brasilapi",
    base_url="https://brasilapi.com.br",
    path="/api/cnpj/v1/{cnpj}",
    timeout=5.0,
    passes_on=PROVIDER,
)
