"""CNPJá: the freshest source, each record with its own date; its open address takes five calls a minute.

https://cnpja.com/api/open — texts come in title case, the kind of street is a part of the street, and the
municipality is IBGE's code. ``company.id`` has lost its leading zeros, so ``taxId`` is read instead.

https://cnpja.com/api — the paid address looks a company up at its origin where its copy is older than
``maxAge`` days (1 at least; ``ONLINE`` always does), and fails where it cannot. A look-up costs credits: one,
one more for Simples and MEI, and one more for state registrations, which the open address has too.
"""

from dataclasses import replace

from brskills_server.registry.providers.fields import find
from brskills_server.registry.providers.provider import FieldMap, Json, Paid, Provider
from brskills_server.registry.values import as_objects, read_text, read_yes

_BRAZIL_M49, _BRAZIL_RFB = 76, "105"


def _coded(path: str) -> FieldMap:
    return {"codigo": f"{path}.id", "descricao": f"{path}.text"}


def _country(path: str) -> FieldMap:
    """Return the country's fields: other countries than Brazil by name, as no table here has M49 codes."""
    return {
        "codigo": lambda answer: _BRAZIL_RFB if find(answer, f"{path}.id") == _BRAZIL_M49 else None,
        "descricao": f"{path}.name",
    }


def _phones(answer: Json, *, fax: bool) -> list[Json]:
    return [row for row in as_objects(answer.get("phones")) if (row.get("type") == "FAX") is fax]


def _option(path: str) -> FieldMap:
    """Return the fields of the present option or, after an exclusion, of the history's latest period."""

    def period(answer: Json) -> Json:
        history = as_objects(find(answer, f"{path}.history"))
        latest = max(history, key=lambda row: read_text(row.get("from")) or "", default={})
        current = read_yes(find(answer, f"{path}.optant")) or not latest
        return {"from": find(answer, f"{path}.since")} if current else latest

    return {
        "optante": f"{path}.optant",
        "data_opcao": lambda answer: period(answer).get("from"),
        "data_exclusao": lambda answer: period(answer).get("until"),
    }


_FIELDS: FieldMap = {
    "cnpj": "taxId",
    "matriz": "head",
    "razao_social": "company.name",
    "nome_fantasia": "alias",
    "situacao_cadastral": {**_coded("status"), "data": "statusDate", "motivo": _coded("reason")},
    "natureza_juridica": _coded("company.nature"),
    "porte": _coded("company.size"),
    "capital_social": "company.equity",
    "data_inicio_atividade": "founded",
    "cnae_principal": _coded("mainActivity"),
    "cnaes_secundarios": {"rows": "sideActivities", "codigo": "id", "descricao": "text"},
    "endereco": {
        "logradouro": "address.street",
        "numero": "address.number",
        "complemento": "address.details",
        "bairro": "address.district",
        "cep": "address.zip",
        "municipio": "address.city",
        "codigo_ibge": "address.municipality",
        "uf": "address.state",
        "pais": _country("address.country"),
    },
    "telefones": {"rows": lambda answer: _phones(answer, fax=False), "ddd": "area", "numero": "number"},
    "fax": {"rows": lambda answer: _phones(answer, fax=True), "ddd": "area", "numero": "number"},
    "email": lambda answer: next((row.get("address") for row in as_objects(answer.get("emails"))), None),
    "simples": _option("company.simples"),
    "mei": _option("company.simei"),
    "socios": {
        "rows": "company.members",
        "nome": "person.name",
        "tipo": "person.type",
        "documento": "person.taxId",
        "qualificacao": _coded("role"),
        "data_entrada": "since",
        "faixa_etaria": "person.age",
        "pais": _country("person.country"),
        "representante_legal": {
            "nome": "agent.person.name",
            "documento": "agent.person.taxId",
            "qualificacao": _coded("agent.role"),
        },
    },
    "situacao_especial": "special.text",
    "data_situacao_especial": "specialDate",
    "ente_federativo": "company.jurisdiction",
    "inscricoes_estaduais": {"rows": "registrations", "uf": "state", "numero": "number", "ativa": "enabled"},
    "data_base": "updated",
}

PROVIDER = Provider(
    id="cnpja",
    group="cnpja",
    base_url="https://open.cnpja.com",
    path="/office/{cnpj}",
    timeout=4.0,
    fields=_FIELDS,
    per_minute=5,
)

_LONGEST_AGE = 3650  # days, the most that ``maxAge`` takes


def _query(days: int) -> str:
    age = f"strategy=CACHE_IF_FRESH&maxAge={min(days, _LONGEST_AGE)}" if days > 0 else "strategy=ONLINE"
    return f"?simples=true&registrations=BR&{age}"


PAID = replace(
    PROVIDER,
    base_url="https://api.cnpja.com",
    timeout=7.0,  # it may call the origin
    per_minute=None,  # as the plan allows, which only a 429 shows
    paid=Paid("Authorization", _query),
)
