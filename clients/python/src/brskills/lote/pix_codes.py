"""Rows that ask for a Pix code: each is checked offline, so that only valid ones are sent and counted."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from brskills import calls, local
from brskills.answers import Batch
from brskills.calls import Call
from brskills.command.language import Texts
from brskills.errors import InvalidFields, ProblemError
from brskills.lote.charge import AmbiguousField, read_charge
from brskills.lote.formulas import safe_cell
from brskills.lote.journal import Answer
from brskills.lote.kind import Item, refused
from brskills.pix import PixCode


class PixCodes:
    """The Pix codes of a table. ``fields``: the column of each field. ``language``: of the remarks."""

    suffix = "codigos"
    invalid = "campo_invalido"
    columns: tuple[str, ...] = ("resultado", "observacao", "tipo", "brcode")
    parameters: Mapping[str, Any] = MappingProxyType({"kind": "pix"})

    def __init__(self, fields: Mapping[str, int], text: Texts, language: str) -> None:
        self._fields, self._text, self._language = fields, text, language
        self.subject = f"Pix ({', '.join(fields)})"

    def item(self, row: Sequence[str]) -> Item:
        """Return the charge of a row as JSON. It is invalid if no code or no safe cell can be made of it."""
        try:
            charge, repaired = read_charge({name: row[index] for name, index in self._fields.items()})
            code = local.create_pix_code(self._language, **charge)
        except AmbiguousField as ambiguous:
            return Item(None, f"{ambiguous.field}: {self._text(ambiguous.code)}")
        except InvalidFields as invalid:
            return Item(None, "; ".join(f"{each.field}: {each.detail}" for each in invalid.errors))
        if safe_cell(code.brcode) != code.brcode:
            return Item(None, self._text("formula_sign"))
        remarks = [f"{field}: {self._text('zeros_restored')}" for field in repaired]
        return Item(json.dumps(charge, sort_keys=True), "; ".join(remarks))

    def call(self, keys: Sequence[str], idempotency_key: str) -> Call[Batch[Any]]:
        """Return the call for these charges."""
        charges = [json.loads(key) for key in keys]
        return calls.create_pix_codes(charges, partial=True, idempotency_key=idempotency_key)

    def answer(self, outcome: PixCode | ProblemError) -> Answer:
        """Return the code with its adjustments and alerts, or why it was refused."""
        if isinstance(outcome, ProblemError):
            return refused(outcome)
        notes = [f"{step.campo}: {step.de} → {step.para} ({step.motivo})" for step in outcome.ajustes]
        notes += [alert.detalhe for alert in outcome.alertas]
        cells = {"tipo": outcome.tipo, "brcode": outcome.brcode, "observacao": "; ".join(notes)}
        return Answer("criado", cells)

    def own_cells(self, _key: str) -> Mapping[str, str]:
        """Return no cells: the row has all that was sent."""
        return {}
