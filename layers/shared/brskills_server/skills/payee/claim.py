"""The payee that a Pix code or a key claims, read from a request."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import brcode
from brcode.fields import FIELDS
from brcode.location import fit_location, has_host_and_path, same_host
from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.registry import parse_cnpj
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue
from brskills_server.skills.pix.fields import MAX_CODE_LENGTH, KeyTypeName, explain_empty_code, public_issue
from brskills_server.skills.shape import Shape, check_shape
from taxid import cpf

PAYEE_SHAPES = {
    "brcode": Shape(str, least=1, most=MAX_CODE_LENGTH),
    "chave": Shape(str),
    "tipo_chave": Shape(KeyTypeName),
    "nome_recebedor": Shape(str, most=200),
    "seguir": Shape(bool),
    "url": Shape(str, least=1, most=200),
    "url_recorrencia": Shape(str, least=1, most=200),
}
_OF_KEY = frozenset(("chave", "tipo_chave", "nome_recebedor"))
_LOCATIONS = {"url": "location", "url_recorrencia": "recurrence_location"}
"""Field → its name in ``brcode.fields``."""

_EXCLUDED = {"brcode": _OF_KEY, "url": _OF_KEY | {"brcode"}, "url_recorrencia": _OF_KEY | {"brcode"}}

HOSTS_DIFFER = "hosts_differ"
"""The rule of a code whose charge and recurrence are at two hosts: neither is followed."""

_BEHIND_LOCATION = "sem_evidencia:location"
_NOTHING_GIVEN = {
    "pt": "Envie brcode ou chave, ou url com seguir.",
    "en": "Send brcode or chave, or url with seguir.",
}
_NOT_FOLLOWED = {
    "pt": "Obrigatório (true) com url ou url_recorrencia.",
    "en": "Required (true) with url or url_recorrencia.",
}


class Claim(NamedTuple):
    """A claimed payee. ``cnpj``: the key as a canonical number, empty where it is none.

    ``broken``: the rules that the code breaks; ``repaired``: what was repaired of it. ``no_evidence``: the alert for a key that the registry cannot
    have, else empty. ``locations``: of the charge and of the recurrence, to be followed; ``amount`` and
    ``txid``: what the code says of the charge. ``has_unread_recurrence``: a code with a key also has a
    recurrence, which is not followed.
    """

    key: str | None
    key_type: str | None
    name: str | None
    cnpj: str
    broken: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    no_evidence: str = ""
    locations: tuple[str | None, str | None] = (None, None)
    amount: str | None = None
    txid: str | None = None
    has_unread_recurrence: bool = False


def read_claim(content: dict[str, Any]) -> Claim:
    """Return the claim of a request: a code, a key and a name, or locations. Raise ``InvalidRequest``."""
    issues = [*map(explain_empty_code, check_shape(PAYEE_SHAPES, content))]
    given = {name: value for name, value in content.items() if value is not None}
    issues += _conflicts(given, {each.field for each in issues})
    sound = given.keys() - {each.field for each in issues}
    locations = [
        _parse(issues, fit_location, field, given[name], FIELDS[field].limit, has_host_and_path)
        if name in sound
        else None
        for name, field in _LOCATIONS.items()
    ]
    charge, recurrence = (location and location[0] for location in locations)
    if charge and recurrence and not same_host(charge, recurrence):
        issues.append(public_issue(brcode.Issue("recurrence_location", HOSTS_DIFFER, {"others": "location"})))
    key = None
    if "chave" in sound and not given.keys() - sound & {"chave", "tipo_chave"}:
        key = _parse(issues, brcode.parse_key, given["chave"], given.get("tipo_chave"))
    if issues:
        raise InvalidRequest(*issues)
    if key:
        return claim_of_key(key.value, key.type, given.get("nome_recebedor"))
    if "brcode" in given:
        return _of_code(given["brcode"], follows=given.get("seguir", False))
    return Claim(None, None, None, "", no_evidence=_BEHIND_LOCATION, locations=(charge, recurrence))


def _conflicts(given: dict[str, Any], rejected: set[str]) -> Iterator[FieldIssue]:
    for name, excluded in _EXCLUDED.items():
        if name in given and (others := excluded & given.keys()):
            yield issue(name, "conflicting_fields", others=", ".join(sorted(others)))
    if not given.keys() & {"brcode", "chave", *_LOCATIONS}:
        yield FieldIssue("brcode", "required", _NOTHING_GIVEN)
    if given.keys() & _LOCATIONS and "seguir" not in rejected and not given.get("seguir"):
        yield FieldIssue("seguir", "required", _NOT_FOLLOWED)


def _parse(issues: list[FieldIssue], parse: Callable[..., Any], *arguments: Any) -> Any:
    """Return what ``parse`` returns, or add its issues and return ``None``."""
    try:
        return parse(*arguments)
    except brcode.InvalidCharge as error:
        issues += map(public_issue, error.issues)
        return None


def _of_code(code: str, follows: bool) -> Claim:
    """Return the claim of a code, which may break rules."""
    found = brcode.decode(code)
    repair = found.suggestion
    if repair:
        found = brcode.decode(repair.payload)
    fields, broken = found.fields, tuple(dict.fromkeys(issue.code for issue in found.errors))
    locations = (fields.location, fields.recurrence_location)
    if fields.key is None:
        no_evidence = _BEHIND_LOCATION if any(locations) else "sem_evidencia:no_key"
        claim = Claim(None, None, fields.merchant_name, "", no_evidence=no_evidence)
    else:
        claim = claim_of_key(fields.key, fields.key_type, fields.merchant_name)
    if HOSTS_DIFFER in broken:
        claim = claim._replace(cnpj="", no_evidence="sem_evidencia:unverified")
    elif follows:
        claim = claim._replace(locations=locations)
    elif fields.key is not None and fields.recurrence_location is not None:
        claim = claim._replace(has_unread_recurrence=True)
    repaired = repair.reasons if repair else ()
    return claim._replace(broken=broken, repaired=repaired, amount=fields.amount, txid=fields.txid)


def claim_of_key(key: str, key_type: str | None, name: str | None) -> Claim:
    """Return the claim of a key and a name."""
    if key_type == brcode.KeyType.CPF and not cpf.is_valid(key):
        return Claim(key, key_type, name, "", no_evidence="sem_evidencia:no_cpf")
    if key_type != brcode.KeyType.CNPJ:
        return Claim(key, key_type, name, "", no_evidence="sem_evidencia")
    try:
        return Claim(key, key_type, name, parse_cnpj(key))
    except InvalidCnpj:
        return Claim(key, key_type, name, "", no_evidence="sem_evidencia:check_digits")
