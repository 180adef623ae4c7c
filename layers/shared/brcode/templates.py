"""Rules of the templates of Pix: the payee's account (26 to 51) and the recurrence (80 to 99)."""

from brcode import location
from brcode.checks import is_ispb
from brcode.errors import InvalidCharge
from brcode.fields import ACCOUNT, FIELDS
from brcode.key_forms import check_digits_match, has_dotless_domain, in_numbering_plan, is_landline, key_form
from brcode.keys import parse_key
from brcode.model import KeyType
from brcode.parsed_payload import ParsedPayload
from brcode.tlv import ACCOUNT_TEMPLATES, GUI, PIX_GUI, UNRESERVED_TEMPLATES

_SINGLE_USE = "12"
_LEGACY_LOCATION = "01"  # in template 80, as in BCB's first manual


def find_templates(payload: ParsedPayload) -> None:
    """Find the template of the Pix account and that of Pix Automático, and set the values of fields."""
    account = _find_template(payload, ACCOUNT_TEMPLATES, "pix_template_repeated")
    if account is None and payload.complete:
        payload.report("pix_template_missing", ACCOUNT)
    payload.locate(account, _find_template(payload, UNRESERVED_TEMPLATES, "recurrence_repeated"))


def check_recurrence(payload: ParsedPayload) -> None:
    """Report issues of the address of a recurrence."""
    tag = payload.recurrence
    if tag is None:
        return
    address = payload.values["recurrence_location"]
    if address is not None:
        _check_location(payload, "recurrence_location", address)
        _check_with_charge(payload)
    elif _LEGACY_LOCATION in payload.templates[tag]:
        payload.report("recurrence_legacy_field", f"{tag}-{_LEGACY_LOCATION}", id=tag)
    else:
        payload.report("recurrence_empty", tag, id=tag)


def check_account(payload: ParsedPayload) -> None:
    """Report issues of the location, the description and the ISPB."""
    if payload.account is None:
        return
    description, ispb = payload.values["description"], payload.values["withdrawal_ispb"]
    limit = FIELDS["description"].limit
    if description is not None and len(description) > limit:
        payload.report("description_too_long", "description", length=len(description), limit=limit)
    if ispb is not None and not is_ispb(ispb):
        payload.report("withdrawal_ispb", "withdrawal_ispb")
    key, address = payload.values["key"], payload.values["location"]
    if payload.place and description is not None:
        payload.report("ignored_with_location", "description", others=payload.place)
    if address is None:
        if key is not None and payload.values["single_use"] == _SINGLE_USE:
            payload.report("uso_unico_estatico", "single_use")
        if key is None and payload.place is None and payload.complete:
            payload.report("pix_template_empty", payload.account)
        return
    _check_location(payload, "location", address)
    if key is not None:
        payload.report("key_and_location", "location")
    if ispb is not None and payload.values["recurrence_location"] is None:
        payload.report("ignored_with_location", "withdrawal_ispb", others="location")


def check_key(payload: ParsedPayload) -> KeyType | None:
    """Return the type of the key. A form that is not DICT's is an error, wrong check digits are a warning."""
    key = payload.values["key"]
    if key is None:
        return None
    key_type = key_form(key)
    if key_type is None and key_form(key.lower()) is KeyType.ALEATORIA:
        payload.report("key_upper_case", "key")
        return KeyType.ALEATORIA
    if key_type is None:
        payload.report("key_form", "key", **_right_key(key))
    elif not check_digits_match(key, key_type):
        mobile = key_type is KeyType.CPF and in_numbering_plan(f"+55{key}")
        payload.report("key_check_digits", "key", type=key_type, case="mobile" if mobile else "")
    elif not in_numbering_plan(key):
        payload.report("key_phone_number", "key")
    elif is_landline(key):
        payload.report("telefone_fixo", "key")
    elif has_dotless_domain(key):
        payload.report("email_sem_ponto", "key")
    return key_type


def _find_template(payload: ParsedPayload, ids: frozenset[str], repeated: str) -> str | None:
    """Return the id of the first template among ``ids`` that has Pix's GUI."""
    found = None
    for tag, objects in payload.templates.items():
        gui = objects.get(GUI)
        if gui is None or tag not in ids or gui.lower() != PIX_GUI:
            continue
        if found is not None:
            payload.report(repeated, tag, id=tag)
            continue
        found = tag
        if gui != PIX_GUI:
            payload.report("gui_case", f"{tag}-{GUI}", value=gui)
        if next(iter(objects)) != GUI:
            payload.report("gui_not_first", f"{tag}-{GUI}", id=tag)
    return found


def _right_key(key: str) -> dict[str, str]:
    """Return the parameter of the issue ``key_form`` with the key as ``encode`` writes it, where it would."""
    try:
        return {"case": "write", "right": parse_key(key).value}
    except InvalidCharge as error:
        number = error.issues[0].params.get("type") if error.issues[0].code == "ambiguous_key" else None
        return {"case": "choose", "type": str(number)} if number else {}


def _check_location(payload: ParsedPayload, field: str, value: str) -> None:
    kind = location.location_kind(value)
    if location.has_protocol(value):
        payload.report("location_protocol", field)
    elif not location.has_form(value):
        payload.report("location_form", field)
    elif (kind == "rec") is (field == "location") and kind:
        payload.report("location_kind", field)
    elif location.is_unusual(value):
        payload.report("location_unusual", field)
    elif kind is None and field == "recurrence_location":
        payload.report("recurrence_marker", field)


def _check_with_charge(payload: ParsedPayload) -> None:
    """Report what a code with a recurrence must not hold; a second recurrence is looked at too."""
    charge = payload.values["location"]
    addresses = [
        objects["25"]
        for tag, objects in payload.templates.items()
        if tag in UNRESERVED_TEMPLATES and "25" in objects and objects.get(GUI, "").lower() == PIX_GUI
    ]
    if charge is not None and not all(location.same_host(charge, each) for each in addresses):
        payload.report("hosts_differ", "recurrence_location", case="read")
    if payload.values["withdrawal_ispb"] is not None:
        payload.report("composite_withdrawal", "withdrawal_ispb")
