"""The text of a code, in the order of BCB's own examples, which is the order of the ids."""

from brcode.crc import checksum
from brcode.fields import ACCOUNT, CONSTANTS, PLACED, RECURRENCE, SINGLE_USE
from brcode.model import Fields
from brcode.tlv import CRC, GUI, PIX_GUI, SIZES, write_object

__all__ = ["write", "write_static"]

_METHODS = {single_use: method for method, single_use in SINGLE_USE.items()}
_GUI = write_object(GUI, PIX_GUI)
_ROWS = [(name, path[0], path[1:]) for name, path in sorted(PLACED.items(), key=lambda row: row[1])]
_EMPTY = dict.fromkeys(sorted(path[0] for path in (*PLACED.values(), *CONSTANTS)), "")
_EMPTY |= {path[0]: text for path, text in CONSTANTS.items() if len(path) == 1} | {ACCOUNT: _GUI}


def write(fields: Fields) -> str:
    """The code that holds ``fields``, whatever its kind."""
    objects = _EMPTY.copy()
    for name, tag, inner in _ROWS:
        value = getattr(fields, name)
        if value is not None:
            text = _METHODS.get(value, value)
            objects[tag] += write_object(inner[0], text) if inner else text
    if objects[RECURRENCE]:
        objects[RECURRENCE] = _GUI + objects[RECURRENCE]
    return _sign("".join([f"{tag}{SIZES[len(text)]}{text}" for tag, text in objects.items() if text]))


def write_static(key: str, amount: str | None, name: str, city: str, txid: str) -> str:
    """The code of a static charge with no other fields, as ``write`` writes it, in half the time.

    The ids stand here a second time, so ``encode`` returns such a code only if ``canonical.split``, whose
    grammar comes from the table, finds the same values in it. Raises ``IndexError`` for a value over 99
    characters.
    """
    account = f"{_GUI}01{SIZES[len(key)]}{key}"
    return _sign(
        f"00020126{SIZES[len(account)]}{account}520400005303986"
        f"{f'54{SIZES[len(amount)]}{amount}' if amount else ''}5802BR"
        f"59{SIZES[len(name)]}{name}60{SIZES[len(city)]}{city}"
        f"62{SIZES[len(txid) + 4]}05{SIZES[len(txid)]}{txid}"
    )


def _sign(code: str) -> str:
    code += f"{CRC}04"
    return code + checksum(code.encode())
