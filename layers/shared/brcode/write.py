"""Writing a code of any kind, its objects in the order of their ids, as in BCB's examples."""

from brcode.crc import checksum
from brcode.fields import ACCOUNT, CONSTANTS, PLACED, RECURRENCE, SINGLE_USE
from brcode.model import Fields
from brcode.tlv import CRC, GUI, PIX_GUI, SIZES, write_object

__all__ = ["write"]

_METHODS = {single_use: method for method, single_use in SINGLE_USE.items()}
_GUI = write_object(GUI, PIX_GUI)
_ROWS = [(name, path[0], path[1:]) for name, path in sorted(PLACED.items(), key=lambda row: row[1])]
_EMPTY = dict.fromkeys(sorted(path[0] for path in (*PLACED.values(), *CONSTANTS)), "")
_EMPTY |= {path[0]: text for path, text in CONSTANTS.items() if len(path) == 1} | {ACCOUNT: _GUI}


def write(fields: Fields) -> str:
    """Return the code that holds ``fields``."""
    objects = _EMPTY.copy()
    for name, tag, inner in _ROWS:
        value = getattr(fields, name)
        if value is not None:
            text = _METHODS.get(value, value)
            objects[tag] += write_object(inner[0], text) if inner else text
    if objects[RECURRENCE]:
        objects[RECURRENCE] = _GUI + objects[RECURRENCE]
    code = "".join([f"{tag}{SIZES[len(text)]}{text}" for tag, text in objects.items() if text]) + f"{CRC}04"
    return code + checksum(code.encode())
