"""The answer to a search: rows, which are parts of records, and the cursor of the next page."""

from collections.abc import Sequence
from typing import Any

from brskills_server.registry.search.cursor import Cursor, write_cursor
from brskills_server.skills.cnpj.search_request import Search

_MEMBERS = ("cnpj", "matriz", "razao_social", "nome_fantasia", "situacao_cadastral")
_OF_ADDRESS = ("uf", "municipio")
_LAST_MEMBERS = ("cnae_principal", "data_inicio_atividade")


def search_answer(
    search: Search,
    records: Sequence[dict[str, Any]],
    total: int,
    *,
    is_exact: bool = True,
    next_in: str,
    data_base: str,
    near_words: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a page. ``next_in``: the edition of the next page, empty for the last one."""
    return {
        "empresas": [_row(record) for record in records],
        "total": total,
        "total_exato": is_exact,
        "cursor": write_cursor(Cursor(records[-1]["cnpj"], next_in), search.criteria) if next_in else None,
        "data_base": data_base,
        "sugestoes": [*near_words],
    }


def _row(record: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: record[name] for name in _MEMBERS},
        **{name: record["endereco"][name] for name in _OF_ADDRESS},
        **{name: record[name] for name in _LAST_MEMBERS},
    }
