"""The words under which an establishment is indexed: those of its names, and one for each value of a filter.

A value's word has a lower-case letter and ``_``, as in ``c_7107``; no word of a name has either. A name's
word of three letters or more is also indexed by its beginnings of three and four, as ``PAD_`` and ``PADA_``,
for those of many words would be slow to find otherwise.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from brskills_server.registry.search.words import MIN_PREFIX, fold
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    PARTNER_FIELDS,
    row_values,
)

ACTIVITY, MAIN_ACTIVITY, STATE, STATE_AND_STATUS, STATUS, CITY = "a_", "m_", "u_", "v_", "s_", "c_"
POSTAL_CODE, NATURE, SIZE, HEAD_OFFICE, MEI, SIMPLES = "z_", "n_", "p_", "h_", "i_", "o_"
OPENED, PARTNER = "d_", "q_"
YES, NO = "S", "N"
"""Of ``MEI`` and ``SIMPLES``; what is not known is ``NO``."""
LONGEST_BEGINNING = 4

ROOT_LENGTH, _CNPJ_LENGTH = 8, 14
_OF_COMPANY = itemgetter(*map(COMPANY_FIELDS.index, ("name", "nature", "size", "simples", "mei", "partners")))
_OF_ESTABLISHMENT = itemgetter(*map(ESTABLISHMENT_FIELDS.index, (
    "kind", "trade_name", "status", "opened", "activity", "other_activities", "postal_code", "state", "city",
)))  # fmt: skip
_DOCUMENT = PARTNER_FIELDS.index("document")
_COMPANY_PARTNER = f"1{PART_SEPARATOR}"
_IS_STATE = re.compile("[A-Z]{2}").fullmatch


class Document(NamedTuple):
    """An establishment's number, the distinct words of its names, and the words of its values in one text.

    ``opened``: eight digits, or empty.
    """

    number: str
    names: set[str]
    values: str
    opened: str

    def words(self) -> str:
        """Return everything that it is indexed by, with blanks between."""
        return " ".join([*map(name_words, self.names), self.values])


def documents(rows: Iterable[tuple[str, str]]) -> Iterator[Document]:
    """Yield a document for each establishment that has both rows. ``rows``: keys and bodies, sorted.

    Raise `ValueError` for a row with another number of fields.
    """
    root, company = "", ""
    name: tuple[str, ...] = ()
    for key, body in rows:
        if len(key) == ROOT_LENGTH:
            root = key
            name, company = _of_company(body) if body else ((), "")
        elif body and company and key.startswith(root):
            trade_name, opened, values = _of_establishment(body)
            yield Document(key, {*name, *trade_name}, f"{company} {values}", opened)


@lru_cache(maxsize=200_000)
def name_words(word: str) -> str:
    """Return what a name's word is indexed by, in one text.

    >>> name_words("SA"), name_words("BAR"), name_words("PADARIA")
    ('SA', 'BAR_', 'PAD_ PADA_ PADARIA')
    """
    if len(word) < MIN_PREFIX:
        return word
    beginnings = [f"{word[:length]}_" for length in range(MIN_PREFIX, min(len(word), LONGEST_BEGINNING) + 1)]
    return " ".join(beginnings if len(word) <= LONGEST_BEGINNING else [*beginnings, word])


def _of_company(row: str) -> tuple[tuple[str, ...], str]:
    """Return the words of a company's name and of its values."""
    name, nature, size, simples, mei, partners = _OF_COMPANY(row_values(COMPANY_FIELDS, row))
    values = _kind_words(nature, size, simples, mei)
    if _COMPANY_PARTNER in partners:
        values += "".join(f" {PARTNER}{number}" for number in _company_partners(partners))
    return fold(name), values


def _of_establishment(row: str) -> tuple[tuple[str, ...], str, str]:
    """Return the words of an establishment's trade name, the day of its opening and the words of values."""
    kind, trade_name, status, opened, activity, others, postal_code, state, city = _OF_ESTABLISHMENT(
        row_values(ESTABLISHMENT_FIELDS, row)
    )
    values = f"{_place_words(state, status)} {CITY}{city} {MAIN_ACTIVITY}{activity} {HEAD_OFFICE}{kind}"
    values += f" {ACTIVITY}{activity} {ACTIVITY}{others.replace(',', f' {ACTIVITY}') if others else activity}"
    if opened:
        values += f" {OPENED}{opened[:3]} {OPENED}{opened[:4]} {OPENED}{opened[:6]} {OPENED}{opened}"
    else:
        values += f" {OPENED}"
    if postal_code:
        values += f" {POSTAL_CODE}{postal_code} {POSTAL_CODE}{postal_code[:5]}"
    return fold(trade_name) if trade_name else (), opened, values


@lru_cache(maxsize=10_000)
def _kind_words(nature: str, size: str, simples: str, mei: str) -> str:
    chosen = f"{SIMPLES}{YES if simples == 'S' else NO} {MEI}{YES if mei == 'S' else NO}"
    return f"{NATURE}{nature} {SIZE}{size} {chosen}"


@lru_cache(maxsize=10_000)
def _place_words(state: str, status: str) -> str:
    if not _IS_STATE(state):
        return STATUS + status
    return f"{STATUS}{status} {STATE}{state} {STATE_AND_STATUS}{state}{status}"


def _company_partners(partners: str) -> set[str]:
    """Return the CNPJs of the partners that are companies."""
    found = (
        partner.split(PART_SEPARATOR)[_DOCUMENT]
        for partner in partners.split(ITEM_SEPARATOR)
        if partner.startswith(_COMPANY_PARTNER)
    )
    return {number for number in found if len(number) == _CNPJ_LENGTH and number.isalnum()}
