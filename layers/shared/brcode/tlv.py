"""The syntax of every EMV code: data objects of a two-digit id, a two-digit length and a value.

EMVCo QRCPS-MPM 1.1 §3.2, §4.1-4.6: lengths are 01 to 99 and count characters, ids are unique within their
level, ``00`` is first and ``63`` last, some objects are templates of further objects.
"""

from brcode.errors import Issue

ACCOUNT_TEMPLATES = frozenset(map(str, range(26, 52)))
CARD_ACCOUNTS = frozenset(f"{tag:02d}" for tag in range(2, 26))
ADDITIONAL_DATA = "62"
CRC = "63"
LANGUAGE_TEMPLATE = "64"
UNRESERVED_TEMPLATES = frozenset(map(str, range(80, 100)))
TEMPLATES = ACCOUNT_TEMPLATES | UNRESERVED_TEMPLATES | {ADDITIONAL_DATA, LANGUAGE_TEMPLATE}

GUI = "00"  # in every account and unreserved template
PIX_GUI = "br.gov.bcb.pix"

SIZES = tuple(f"{length:02d}" for length in range(100))
LENGTHS = {size: length for length, size in enumerate(SIZES)}
"""Two ASCII digits → their number; ``int`` would accept other digits, signs and spaces too."""


def parse(text: str) -> tuple[dict[str, str], list[Issue]]:
    """Return the objects of one level by id, in order, and the issues of the syntax, each once an id.

    Parsing stops at an object that cannot be read. Of a repeated id the first object is returned. An issue's
    ``field`` is the id, or ``None`` where it cannot be read; ``params`` has the ``position``.
    """
    objects: dict[str, str] = {}
    issues: list[Issue] = []
    repeated: set[str] = set()
    position, end = 0, len(text)
    while position < end:
        tag, start = text[position : position + 2], position + 4
        length = LENGTHS.get(text[position + 2 : start])
        if length is None or tag not in LENGTHS:
            issues.append(Issue(None, "object_malformed", {"position": position}))
            break
        if start + length > end:
            issues.append(Issue(tag, "object_truncated", {"position": position}))
            break
        if tag not in objects:
            objects[tag] = text[start : start + length]
            if not length:
                issues.append(Issue(tag, "object_empty", {"position": position}))
        elif tag not in repeated:
            repeated.add(tag)
            issues.append(Issue(tag, "object_repeated", {"position": position}))
        position = start + length
    return objects, issues


def write_object(tag: str, value: str) -> str:
    """Return id, length and value. Raise ``IndexError`` for a value longer than 99 characters."""
    return f"{tag}{SIZES[len(value)]}{value}"


def is_alphanumeric_special(text: str) -> bool:
    """Return whether ``text`` is printable ASCII, EMV's format "ans"."""
    return text.isascii() and text.isprintable()


def is_digits(text: str, length: int) -> bool:
    """Return whether ``text`` is ``length`` ASCII digits, EMV's format "N"."""
    return len(text) == length and text.isascii() and text.isdigit()
