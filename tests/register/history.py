"""What must be said of the changes between the records of two months, from the records alone."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
Change = tuple[str, Any, Any]

FIELDS = (
    "razao_social", "nome_fantasia", "situacao_cadastral", "natureza_juridica", "porte", "capital_social",
    "cnae_principal", "cnaes_secundarios", "endereco", "simples", "mei",
)  # fmt: skip


def changes(before: Json | None, after: Json | None) -> list[Change]:
    """Return field, value before and value after of each change; ``None``: the number is not in the month."""
    if before is None or after is None:
        return [] if before is after else [("registro", None, "novo" if after else "ausente")]
    return [*_of_fields(before, after), *_of_partners(before["socios"], after["socios"])]


def _of_fields(before: Json, after: Json) -> Iterator[Change]:
    for name in FIELDS:
        old, new = before[name], after[name]
        if name == "cnaes_secundarios":
            is_same = {activity["codigo"] for activity in old} == {activity["codigo"] for activity in new}
        else:
            is_same = old == new
        if not is_same:
            yield name, old, new


def _of_partners(before: list[Json], after: list[Json]) -> Iterator[Change]:
    left = _without(before, after)
    came = _without(after, before)
    if left or came:
        yield "socios", left, came


def _without(partners: list[Json], others: list[Json]) -> list[Json]:
    seen = {_identity(other) for other in others}
    found = []
    for partner in partners:
        identity = _identity(partner)
        if identity not in seen:
            seen.add(identity)
            found.append(partner)
    return found


def _identity(partner: Json) -> tuple[Any, ...]:
    """Return name, document and role: a new age band is no change."""
    return partner["nome"], partner["documento"], (partner["qualificacao"] or {}).get("codigo")
