"""Read a BR Code: its values, and every rule it breaks.

>>> code = ("00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR"
...         "5913Fulano de Tal6008BRASILIA62070503***63041D3D")
>>> decoded = decode(code)
>>> decoded.valid, decoded.kind.value, decoded.fields.merchant_name
(True, 'estatico', 'Fulano de Tal')
>>> [issue.rule for issue in decode(code[:-1]).errors]
['object_truncated']
>>> decode(code.replace("*", "")).suggestion.reasons
('asteriscos',)
"""

import re
from typing import Any, NamedTuple

from brcode import canonical
from brcode.envelope import check_crc, check_envelope, has_control_characters
from brcode.errors import Issue
from brcode.fields import ACCOUNT, CONSTANTS, PLACED, RECURRENCE, SINGLE_USE
from brcode.model import Fields, Kind, Suggestion
from brcode.other_texts import classify_other_text
from brcode.parsed_payload import ParsedPayload
from brcode.repair import REASONS, has_own_checksum, suggest_repair
from brcode.rules import WARNINGS
from brcode.templates import check_account, check_key, check_recurrence, find_templates
from brcode.tlv import ADDITIONAL_DATA, CRC, GUI, PIX_GUI, UNRESERVED_TEMPLATES
from brcode.values import check_txid, check_values

_CODE_START = rf"000201(?:(?!000201).){{0,30}}{re.escape(PIX_GUI)}"
_PATHS = {*PLACED.values(), *CONSTANTS, (RECURRENCE, GUI), (CRC,)}
_KNOWN = frozenset(path[0] for path in _PATHS if len(path) == 1)
_KNOWN_IN = {
    template: frozenset(path[1] for path in _PATHS if path[0] == template and len(path) > 1)
    for template in (ACCOUNT, RECURRENCE, ADDITIONAL_DATA)
}


class Decoded(NamedTuple):
    """The values of a text. ``errors`` break a norm, ``warnings`` are legal but advised against.

    ``suggestion``: the code that the text was before it was damaged, if that is certain. Kind, fields and
    warnings are then those of this code, and ``errors`` has the damage before the code's own.
    """

    kind: Kind | None
    fields: Fields
    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    suggestion: Suggestion | None = None

    @property
    def valid(self) -> bool:
        """Return whether no norm is broken."""
        return not self.errors


def decode(text: str) -> Decoded:
    """Return the values of a text, read as a BR Code, and its issues. Never raise for a ``str``.

    ``kind`` is ``None`` where the text cannot be read to its end or is not a Pix code.
    """
    static_fields = canonical.decode_static_code(text)
    if static_fields is not None:
        return Decoded(Kind.ESTATICO, static_fields, (), ())
    payload = ParsedPayload(text)
    if suggestion := suggest_repair(payload.text):
        found = decode(suggestion.payload)
        return found._replace(
            errors=(*_damages(payload.text, suggestion), *found.errors), suggestion=suggestion
        )
    if rule := _why_unreadable(payload):
        return Decoded(None, Fields(), (Issue(None, rule, {}),), ())
    nature = classify_other_text(payload)
    if nature:
        # listing the rules that such a text breaks would not help
        return Decoded(None, Fields(), (Issue(None, "not_a_pix_code", {"nature": nature}),), ())
    fields = _inspect(payload)
    return Decoded(
        classify(fields) if payload.complete else None,
        fields,
        tuple([issue for issue in payload.issues if issue.code not in WARNINGS]),
        tuple([issue for issue in payload.issues if issue.code in WARNINGS]),
    )


def _why_unreadable(payload: ParsedPayload) -> str:
    """Return the rule for a text that has several codes, or one that no repair makes whole; empty for others.

    What else such a text breaks would follow from that.
    """
    starts = [match.start() for match in re.finditer(_CODE_START, payload.text, re.IGNORECASE)]
    if len(starts) > 1 and not has_own_checksum(payload.text):
        return "several_codes"
    is_wrapped = starts and (starts[0] > 0 or has_control_characters(payload.text))
    return "code_altered" if is_wrapped and not payload.complete else ""


def classify(fields: Fields) -> Kind | None:
    """Return the kind of a code with these fields; ``None`` where they do not say who is paid."""
    if fields.recurrence_location is not None:
        return Kind.RECORRENCIA if fields.key is None and fields.location is None else Kind.COMPOSTO
    if fields.location is not None:
        return Kind.DINAMICO
    if fields.key is None:
        return None
    return Kind.ESTATICO if fields.withdrawal_ispb is None else Kind.SAQUE


def _inspect(payload: ParsedPayload) -> Fields:
    """Check every rule and return the fields."""
    check_envelope(payload)
    find_templates(payload)
    check_recurrence(payload)
    check_account(payload)
    key_type = check_key(payload)
    check_values(payload)
    check_txid(payload)
    check_crc(payload)
    values: dict[str, Any] = payload.values
    single_use = SINGLE_USE.get(values["single_use"])
    return Fields(**{**values, "single_use": single_use}, key_type=key_type, unknown=tuple(_unknown(payload)))


def _damages(text: str, suggestion: Suggestion) -> list[Issue]:
    """Return an issue for each reason of a repair. Line ends and the like are control characters."""
    rules = [REASONS[reason] for reason in suggestion.reasons]
    if has_control_characters(text):
        rules = ["control_characters" if rule == "white_space_inside" else rule for rule in rules]
    return [Issue(None, rule, {"case": "repaired"}) for rule in rules]


def _unknown(payload: ParsedPayload) -> list[tuple[str, str]]:
    """Return the objects that belong to no field, in the order of the code."""
    unknown = []
    for tag, value in payload.root.items():
        if tag in _KNOWN:
            continue
        objects = payload.templates.get(tag)
        if not objects:
            unknown.append((tag, value))
            continue
        known = _known_in(tag, payload)
        unknown += [(f"{tag}-{inner}", text) for inner, text in objects.items() if inner not in known]
    return unknown


def _known_in(tag: str, payload: ParsedPayload) -> frozenset[str]:
    if tag == payload.account:
        return _KNOWN_IN[ACCOUNT]
    if tag in UNRESERVED_TEMPLATES and payload.templates[tag].get(GUI, "").lower() == PIX_GUI:
        return _KNOWN_IN[RECURRENCE]
    return _KNOWN_IN[ADDITIONAL_DATA] if tag == ADDITIONAL_DATA else frozenset()
