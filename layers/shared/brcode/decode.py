"""Read a BR Code: what is in it, and every rule it breaks.

>>> code = ("00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR"
...         "5913Fulano de Tal6008BRASILIA62070503***63041D3D")
>>> decoded = decode(code)
>>> decoded.valid, decoded.kind.value, decoded.fields.merchant_name
(True, 'estatico', 'Fulano de Tal')
>>> [finding.rule for finding in decode(code[:-1]).errors]
['object_truncated']
"""

from __future__ import annotations

from brcode import regular
from brcode.checks import Inspection
from brcode.keys import has_check_digits
from brcode.model import Fields, KeyType, Kind
from brcode.record import Record
from brcode.rules import WARNINGS, Finding

__all__ = ["Decoded", "decode"]


class Decoded(Record):
    """What a text holds: ``errors`` break a norm, ``warnings`` are legal and yet better not written."""

    kind: Kind | None
    fields: Fields
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether no norm is broken."""
        return not self.errors


def decode(text: str) -> Decoded:
    """What any text holds as a BR Code; never raises for a ``str``, whatever is in it.

    ``kind`` is ``None`` for what cannot be read to its end or is no Pix code.
    """
    fields = regular.read(text)
    if fields is not None and _has_check_digits(fields):
        return Decoded(Kind.ESTATICO, fields, (), ())
    inspection = Inspection(text)
    kind, fields = inspection.run()
    findings = inspection.findings
    return Decoded(
        kind,
        fields,
        tuple(finding for finding in findings if finding.rule not in WARNINGS),
        tuple(finding for finding in findings if finding.rule in WARNINGS),
    )


def _has_check_digits(fields: Fields) -> bool:
    key_type: KeyType | None = fields.key_type
    return fields.key is not None and key_type is not None and has_check_digits(fields.key, key_type)
