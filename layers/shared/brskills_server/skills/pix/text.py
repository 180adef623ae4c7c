"""The text of a code, where a request gives one."""

from brskills_server.skills.refusals import FieldFault, WordedFault

__all__ = ["MAX_CODE_LENGTH", "what_to_send"]

MAX_CODE_LENGTH = 4096

_NO_CODE = {
    "pt": "Não pode ser vazio: envie o texto do Pix copia e cola, que começa por 000201.",
    "en": "Must not be empty: send the text of the Pix copia e cola, which begins with 000201.",
}


def what_to_send(fault: FieldFault) -> FieldFault:
    """The fault, which of an empty code says what to send."""
    empty = (fault.field, fault.code) == ("brcode", "empty")
    return WordedFault(fault.field, fault.code, _NO_CODE) if empty else fault
