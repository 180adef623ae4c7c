"""The canonical form of a CNPJ.

>>> parse_cnpj("00.000.000/e08g-12"), parse_cnpj(191)
('00000000E08G12', '00000000000191')
"""

from brskills_server.registry.errors import InvalidCnpj
from taxid import cnpj


def parse_cnpj(value: str | int) -> str:
    """Return the fourteen upper-case characters of a CNPJ, masked or not. Raise ``InvalidCnpj``.

    An integer is padded with zeros; a string is not, because with letters in it its length is part of the
    number.
    """
    if isinstance(value, bool) or (isinstance(value, int) and not 0 <= value < 10**14):
        raise InvalidCnpj("invalid_cnpj")
    number = cnpj.compact(f"{value:014d}" if isinstance(value, int) else value)
    if number is None:
        raise InvalidCnpj("invalid_cnpj")
    if not cnpj.is_valid(number):
        raise InvalidCnpj("invalid_check_digits")
    return number
