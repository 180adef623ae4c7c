"""One field's change from a snapshot to a later one, its values as the record has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from brskills_server.registry.snapshot import values
from brskills_server.registry.snapshot.changes import FIELDS, RowChange
from brskills_server.registry.snapshot.rows import Edition, clean_fields, partner_fields


class FieldChange(NamedTuple):
    """A field of the record and its values before and after; of ``socios``, who left and who came."""

    campo: str
    de: Any
    para: Any


def render(edition: Edition, change: RowChange) -> FieldChange:
    """Return a change with its values as in the record. Raise ``ValueError`` for malformed ones."""
    if change.name == "socios":
        before, after = (
            [values.partner(edition, partner_fields(text)) for text in texts]
            for texts in (change.before, change.after)
        )
        return FieldChange(change.name, before, after)
    names, render_value = FIELDS[change.name], _RENDERERS[change.name]
    before, after = (
        render_value(edition, clean_fields(names, found)) for found in (change.before, change.after)
    )
    return FieldChange(change.name, before, after)


def compose(changes: Sequence[FieldChange]) -> FieldChange | None:
    """Return one change for successive ones of a field, oldest first; ``None`` if nothing is left of them."""
    name = changes[0].campo
    if name == "socios":
        left, came = _net_partners(changes)
        return FieldChange(name, left, came) if left or came else None
    before, after = changes[0].de, changes[-1].para
    if before == after or (name == "cnaes_secundarios" and _codes(before) == _codes(after)):
        return None
    return FieldChange(name, before, after)


def _net_partners(changes: Sequence[FieldChange]) -> tuple[list[Any], list[Any]]:
    """Return who left and who came in all; who did both is in neither."""
    left: dict[tuple[Any, ...], Any] = {}
    came: dict[tuple[Any, ...], Any] = {}
    for change in changes:
        for partners, undone, done in ((change.de, came, left), (change.para, left, came)):
            for partner in partners:
                identity = (
                    partner["nome"],
                    partner["documento"],
                    (partner["qualificacao"] or {}).get("codigo"),
                )
                if undone.pop(identity, None) is None:
                    done[identity] = partner
    return list(left.values()), list(came.values())


def _codes(activities: Sequence[Mapping[str, str]]) -> set[str]:
    return {activity["codigo"] for activity in activities}


def _text(name: str, _: Edition, fields: Mapping[str, str]) -> str | None:
    return fields[name] or None


def _coded(name: str, table: str, edition: Edition, fields: Mapping[str, str]) -> values.Json | None:
    return values.coded(edition, table, fields[name])


_RENDERERS: dict[str, Callable[[Edition, Mapping[str, str]], Any]] = {
    "razao_social": partial(_text, "name"),
    "nome_fantasia": partial(_text, "trade_name"),
    "situacao_cadastral": values.status,
    "natureza_juridica": partial(_coded, "nature", "naturezas_juridicas"),
    "porte": partial(_coded, "size", "portes"),
    "capital_social": lambda _, fields: values.capital(fields),
    "cnae_principal": values.main_activity,
    "cnaes_secundarios": values.other_activities,
    "endereco": values.address,
    "simples": lambda _, fields: values.option(fields, "simples"),
    "mei": lambda _, fields: values.option(fields, "mei"),
}
