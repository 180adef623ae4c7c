"""The search for sandbox companies: those that have a record, by the same criteria."""

from datetime import date
from typing import Any

from brskills_server.registry.sandbox import sandbox_records
from brskills_server.registry.search.criteria import Criteria

SANDBOX_NAMES = (("SANDBOX",),)
"""The names of a search for sandbox companies."""


def search_sandbox(criteria: Criteria) -> list[dict[str, Any]]:
    """Return the records that fit all criteria but the name, in the order of their numbers."""
    return [record for record in sandbox_records() if _fits(criteria, record)]


def _fits(criteria: Criteria, record: dict[str, Any]) -> bool:
    address, main = record["endereco"], record["cnae_principal"]["codigo"]
    postal_code, opened = address["cep"], date.fromisoformat(record["data_inicio_atividade"])
    demanded = (
        (criteria.roots, {record["cnpj"][:8]}),
        (criteria.activities, {main, *(each["codigo"] for each in record["cnaes_secundarios"])}),
        (criteria.main_activities, {main}),
        (criteria.states, {address["uf"]}),
        (criteria.cities, {address["codigo_siafi"], address["codigo_siafi"] + address["uf"]}),
        (criteria.postal_codes, {postal_code, postal_code[:5]}),
        (criteria.natures, {record["natureza_juridica"]["codigo"]}),
        (criteria.sizes, {record["porte"]["codigo"]}),
        (criteria.statuses, {record["situacao_cadastral"]["codigo"]}),
        (criteria.partners, {each["documento"] for each in record["socios"] if each["tipo"] == "PJ"}),
    )
    chosen = (
        (criteria.head_office, record["matriz"]),
        (criteria.mei, record["mei"]["optante"]),
        (criteria.simples, record["simples"]["optante"]),
    )
    return (
        all(not values or found.intersection(values) for values, found in demanded)
        and all(value is None or value == found for value, found in chosen)
        and (criteria.opened_from or opened) <= opened <= (criteria.opened_to or opened)
    )
