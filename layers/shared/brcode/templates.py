"""The templates of Pix: who is paid (26 to 51) and what recurs (80 to 99)."""

from brcode import location
from brcode.keys import has_check_digits, in_numbering_plan, key_form
from brcode.model import KeyType
from brcode.shape import Shape
from brcode.tlv import (
    ACCOUNT_TEMPLATES,
    GUI,
    PIX_DESCRIPTION,
    PIX_GUI,
    PIX_KEY,
    PIX_LEGACY_LOCATION,
    PIX_LOCATION,
    PIX_WITHDRAWAL_ISPB,
    UNRESERVED_TEMPLATES,
    is_ispb,
)

__all__ = ["check_account", "check_key", "check_recurrence", "find_account"]

_LONGEST_DESCRIPTION = 72


def find_account(shape: Shape) -> str | None:
    """The id of the template that says who is paid by Pix."""
    found = _find(shape, ACCOUNT_TEMPLATES, "pix_template_repeated")
    if found is None and shape.whole:
        shape.report("pix_template_missing", "26")
    return found


def check_recurrence(shape: Shape) -> str | None:
    """Where the recurrence of Pix Automático lies, if the code has one."""
    tag = _find(shape, UNRESERVED_TEMPLATES, "recurrence_repeated")
    if tag is None:
        return None
    template = shape.templates[tag]
    found = template.get(PIX_LOCATION)
    if found is not None:
        _check_location(shape, "recurrence_location", found)
    elif PIX_LEGACY_LOCATION in template:
        shape.report("recurrence_legacy_field", f"{tag}-{PIX_LEGACY_LOCATION}", id=tag)
    else:
        shape.report("recurrence_empty", tag, id=tag)
    return found


def check_account(shape: Shape, tag: str, recurrence: str | None) -> None:
    """What stands beside the key, or instead of it."""
    account = shape.templates[tag]
    description = account.get(PIX_DESCRIPTION)
    if description is not None and len(description) > _LONGEST_DESCRIPTION:
        shape.report("description_too_long", "description", length=len(description))
    ispb = account.get(PIX_WITHDRAWAL_ISPB)
    if ispb is not None and not is_ispb(ispb):
        shape.report("withdrawal_ispb", "withdrawal_ispb")
    found = account.get(PIX_LOCATION)
    if found is None:
        if PIX_KEY not in account and recurrence is None and shape.whole:
            shape.report("pix_template_empty", tag)
        return
    _check_location(shape, "location", found)
    if PIX_KEY in account:
        shape.report("key_and_location", "location")
    if description is not None:
        shape.report("ignored_with_location", "description")
    if ispb is not None:
        shape.report("ignored_with_location", "withdrawal_ispb")


def check_key(shape: Shape, key: str) -> KeyType | None:
    """The type of a key: its form is DICT's or an error, its digits are right or a warning."""
    key_type = key_form(key)
    if key_type is None and key_form(key.lower()) is KeyType.ALEATORIA:
        shape.report("key_upper_case", "key")
        return KeyType.ALEATORIA
    if key_type is None:
        shape.report("key_form", "key")
    elif not has_check_digits(key, key_type):
        shape.report("key_check_digits", "key", type=key_type)
    elif not in_numbering_plan(key):
        shape.report("key_phone_number", "key")
    return key_type


def _find(shape: Shape, ids: frozenset[str], repeated: str) -> str | None:
    """The id of the first template among ``ids`` that bears Pix's mark."""
    found = None
    for tag, objects in shape.templates.items():
        gui = objects.get(GUI)
        if gui is None or tag not in ids or gui.lower() != PIX_GUI:
            continue
        if found is not None:
            shape.report(repeated, tag, id=tag)
            continue
        found = tag
        if gui != PIX_GUI:
            shape.report("gui_case", f"{tag}-{GUI}", value=gui)
        if next(iter(objects)) != GUI:
            shape.report("gui_not_first", f"{tag}-{GUI}", id=tag)
    return found


def _check_location(shape: Shape, field: str, value: str) -> None:
    if location.has_protocol(value):
        shape.report("location_protocol", field)
    elif not location.has_form(value):
        shape.report("location_form", field)
