"""A quick reader of the one form in which almost every static code is written.

It only ever proves that nothing is wrong. The pattern spells the rules of a static code in canonical form; a
match whose length digits are the lengths of what was matched is the only way to read the text, for lengths
leave no choice. Whatever else a text may be, right or wrong, is for ``decode`` to say.
"""

from __future__ import annotations

import re

from brcode.crc import checksum
from brcode.keys import EVP, in_numbering_plan
from brcode.model import Fields, KeyType
from brcode.record import Record
from brcode.tlv import PIX_GUI, SIZES

__all__ = ["Values", "read", "split", "type_of"]

_TYPES = {11: KeyType.CPF, 14: KeyType.CNPJ, 36: KeyType.ALEATORIA}
_KEY = (
    rf"[0-9]{{11}}|[0-9A-Z]{{12}}[0-9]{{2}}|{EVP}|\+55[0-9]{{10,11}}"
    # the part of DICT's pattern that ends in letters, so that the next field's id cannot be taken for it
    r"|[a-z0-9.!#$&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9]+\.)+[a-z]{2,}"
)
_AMOUNT = r"(?!0\.00)(?:0|[1-9][0-9]{0,9})\.[0-9]{2}"
_TEXT = "[!-/:-~][ -/:-~]{0,%d}"  # without digits nothing in it looks like the next field
_REGULAR = re.compile(
    "000201(?:0102(1[12]))?"
    rf"26([0-9]{{2}})0014{re.escape(PIX_GUI)}01([0-9]{{2}})({_KEY})(?:02([0-9]{{2}})({_TEXT % 71}))?"
    rf"5204([0-9]{{4}})5303986(?:54([0-9]{{2}})({_AMOUNT}))?5802BR"
    rf"59([0-9]{{2}})({_TEXT % 24})60([0-9]{{2}})({_TEXT % 14})(?:6108([0-9]{{8}}))?"
    r"62([0-9]{2})05([0-9]{2})([A-Za-z0-9]{1,25}|\*\*\*)6304[0-9A-F]{4}"
).fullmatch


class Values(Record):
    """What the pattern finds in a code."""

    key: str
    amount: str | None
    name: str
    city: str
    txid: str
    description: str | None = None
    postal_code: str | None = None
    mcc: str = "0000"
    method: str | None = None


def read(text: str) -> Fields | None:
    """The fields of a static code in canonical form; ``None`` for any other text.

    Check digits are not looked at.
    """
    values = split(text)
    if values is None or checksum(text[:-4].encode()) != text[-4:]:
        return None
    key, amount, name, city, txid, description, postal_code, mcc, method = values
    single_use = None if method is None else method == "12"
    return Fields._make(
        (
            key,
            type_of(key),
            amount,
            name,
            city,
            txid,
            description,
            postal_code,
            mcc,
            None,
            None,
            None,
            single_use,
            (),
        )
    )


def split(text: str) -> Values | None:
    """What stands in a static code in canonical form, whatever its CRC; ``None`` for any other text."""
    match = _REGULAR(text)
    if match is None or "  " in text:
        return None
    (
        method,
        account_size,
        key_size,
        key,
        description_size,
        description,
        mcc,
        amount_size,
        amount,
        name_size,
        name,
        city_size,
        city,
        postal_code,
        additional_size,
        txid_size,
        txid,
    ) = match.groups()
    account = 22 + len(key)
    if description:
        if description_size != SIZES[len(description)] or description[-1] == " ":
            return None
        account += 4 + len(description)
    if (
        account > 99
        or account_size != SIZES[account]
        or key_size != SIZES[len(key)]
        or name_size != SIZES[len(name)]
        or city_size != SIZES[len(city)]
        or txid_size != SIZES[len(txid)]
        or additional_size != SIZES[4 + len(txid)]
        or (amount and amount_size != SIZES[len(amount)])
        or name[-1] == " "
        or city[-1] == " "
        or (key[0] == "+" and not in_numbering_plan(key))
    ):
        return None
    return tuple.__new__(Values, (key, amount, name, city, txid, description, postal_code, mcc, method))


def type_of(key: str) -> KeyType:
    """The type of a key that the pattern found."""
    if "@" in key:  # first: an e-mail may begin with a plus sign, or be as long as a CPF
        return KeyType.EMAIL
    return KeyType.TELEFONE if key[0] == "+" else _TYPES[len(key)]
