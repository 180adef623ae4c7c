"""The payee that a Pix code or a key claims, read from a request."""

from typing import Any, NamedTuple

import brcode
from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.registry import parse_cnpj
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue
from brskills_server.skills.pix.fields import MAX_CODE_LENGTH, KeyTypeName, explain_empty_code, public_issue
from brskills_server.skills.shape import Shape, check_shape

PAYEE_SHAPES = {
    "brcode": Shape(str, least=1, most=MAX_CODE_LENGTH),
    "chave": Shape(str),
    "tipo_chave": Shape(KeyTypeName),
    "nome_recebedor": Shape(str, most=200),
}

_NOTHING_GIVEN = {"pt": "Envie brcode ou chave.", "en": "Send brcode or chave."}


class Claim(NamedTuple):
    """A claimed payee. ``cnpj``: the key as a canonical number, empty where it is none.

    ``broken``: the rules that the code breaks. ``no_evidence``: the alert for a key that the registry cannot
    have, else empty.
    """

    key: str | None
    key_type: str | None
    name: str | None
    cnpj: str
    broken: tuple[str, ...] = ()
    no_evidence: str = ""


def read_claim(content: dict[str, Any]) -> Claim:
    """Return the claim of a request for a code, or for a key and a name. Raise ``InvalidRequest``."""
    issues = [*map(explain_empty_code, check_shape(PAYEE_SHAPES, content))]
    given = {name for name, value in content.items() if value is not None}
    if "brcode" in given:
        others = ", ".join(sorted(given & {"chave", "tipo_chave", "nome_recebedor"}))
        if others:
            issues.append(issue("brcode", "conflicting_fields", others=others))
    elif "chave" not in given:
        issues.append(FieldIssue("brcode", "required", _NOTHING_GIVEN))
    rejected = {each.field for each in issues}
    key = None
    if "chave" in given and not rejected & {"chave", "tipo_chave"}:
        try:
            key = brcode.parse_key(content["chave"], content.get("tipo_chave"))
        except brcode.InvalidCharge as error:
            issues += map(public_issue, error.issues)
    if issues:
        raise InvalidRequest(*issues)
    if key:
        return _of_key(key.value, key.type, content.get("nome_recebedor"))
    return _of_code(content["brcode"])


def _of_code(code: str) -> Claim:
    """Return the claim of a code, which may break rules."""
    found = brcode.decode(code)
    fields, broken = found.fields, tuple(dict.fromkeys(issue.code for issue in found.errors))
    if fields.key is None:
        wording = ":location" if fields.location or fields.recurrence_location else ":no_key"
        return Claim(None, None, fields.merchant_name, "", broken, "sem_evidencia" + wording)
    return _of_key(fields.key, fields.key_type, fields.merchant_name)._replace(broken=broken)


def _of_key(key: str, key_type: str | None, name: str | None) -> Claim:
    if key_type != brcode.KeyType.CNPJ:
        return Claim(key, key_type, name, "", no_evidence="sem_evidencia")
    try:
        return Claim(key, key_type, name, parse_cnpj(key))
    except InvalidCnpj:
        return Claim(key, key_type, name, "", no_evidence="sem_evidencia:check_digits")
