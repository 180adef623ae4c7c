"""The canonical form of the number that a caller gives.

>>> parse_cnpj("00.000.000/e08g-12"), parse_cnpj(191)
('00000000E08G12', '00000000000191')
"""

from brskills_server.registry.errors import InvalidCnpj
from taxid import cnpj

__all__ = ["parse_cnpj"]


def parse_cnpj(value: str | int) -> str:
    """Fourteen upper-case characters out of a CNPJ, masked or not.

    An integer gets its leading zeros back; a string is not padded, because with letters in it its length
    is part of the number. Raises ``InvalidCnpj``.
    """
    if isinstance(value, bool) or (isinstance(value, int) and not 0 <= value < 10**14):
        raise InvalidCnpj("invalid_cnpj")
    number = cnpj.compact(f"{value:014d}" if isinstance(value, int) else value)
    if number is None:
        raise InvalidCnpj("invalid_cnpj")
    if not cnpj.is_valid(number):
        raise InvalidCnpj("invalid_check_digits")
    return number
