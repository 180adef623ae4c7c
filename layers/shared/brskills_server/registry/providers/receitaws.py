"""ReceitaWS: each record with its own date; three calls a minute.

https://developers.receitaws.com.br — everything is text: days as DD/MM/AAAA, codes with their masks,
``00.00-0-00 ********`` for "none", partners without documents. Its errors come with status 200 and
``status: "ERROR"``; of these only "rejeitado pela Receita Federal" means that the company does not exist.
"""

import re

from brskills_server.registry.providers.fields import same
from brskills_server.registry.providers.provider import FieldMap, Json, Provider
from brskills_server.registry.tables import fold
from brskills_server.registry.values import in_bounds, read_text, split_phone


def _labelled(name: str, width: int) -> FieldMap:
    """Return the fields of "206-2 - Sociedade Empresária Limitada" or "49-Sócio-Administrador"."""

    def parts(row: Json) -> tuple[str | None, str]:
        text = read_text(row.get(name)) or ""
        match = re.match(rf"([0-9][0-9-]{{0,{width}}}?)\s*-\s*([^\W\d].*)", text)
        return (match[1], match[2]) if match else (None, text)

    return {"codigo": lambda row: parts(row)[0], "descricao": lambda row: parts(row)[1]}


def _phones(answer: Json) -> list[Json]:
    """Return the telephones of "(17) 3211-1234/ (17) 3211-5678"; the area code may be empty or bare."""
    written = answer.get("telefone")
    found = []
    for phone in in_bounds(written).split("/") if isinstance(written, str) else ():
        match = re.fullmatch(r"\s*\(([0-9]*)\)(.*)", phone)
        found.append({"ddd": match[1], "numero": match[2]} if match else split_phone(phone))
    return found


_FIELDS: FieldMap = {
    **same("capital_social", "email", "situacao_especial", "data_situacao_especial"),
    "cnpj": lambda answer: answer.get("cnpj") if answer.get("status") == "OK" else None,
    "matriz": "tipo",
    "razao_social": "nome",
    "nome_fantasia": "fantasia",
    "situacao_cadastral": {
        "descricao": "situacao",
        "data": "data_situacao",
        "motivo": {"descricao": "motivo_situacao"},
    },
    "natureza_juridica": _labelled("natureza_juridica", 4),
    "porte": {"descricao": "porte"},
    "data_inicio_atividade": "abertura",
    "cnae_principal": {"rows": "atividade_principal", "codigo": "code", "descricao": "text"},
    "cnaes_secundarios": {"rows": "atividades_secundarias", "codigo": "code", "descricao": "text"},
    "endereco": same("logradouro", "numero", "complemento", "bairro", "cep", "municipio", "uf"),
    "telefones": {"rows": _phones, **same("ddd", "numero")},
    "simples": same("optante", "data_opcao", "data_exclusao", within="simples"),
    "mei": same("optante", "data_opcao", "data_exclusao", within="simei"),
    "socios": {
        "rows": "qsa",
        "nome": "nome",
        "qualificacao": _labelled("qual", 2),
        "pais": {"descricao": "pais_origem"},
        "representante_legal": {"nome": "nome_rep_legal", "qualificacao": _labelled("qual_rep_legal", 2)},
    },
    "ente_federativo": "efr",
    "data_base": "ultima_atualizacao",
}


def _says_missing(_: int, answer: Json) -> bool:
    message = fold(read_text(answer.get("message")) or "")
    return answer.get("status") == "ERROR" and ("rejeitado" in message or "naoencontrado" in message)


PROVIDER = Provider(
    id="receitaws",
    group="receitaws",
    base_url="https://receitaws.com.br",
    path="/v1/cnpj/{cnpj}",
    timeout=4.0,
    fields=_FIELDS,
    says_missing=_says_missing,
    per_minute=3,
)
