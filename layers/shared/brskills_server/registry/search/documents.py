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
YES, NO = "1", "0"

LONGEST_BEGINNING = 4

_OF_COMPANY = itemgetter(*map(COMPANY_FIELDS.index, ("name", "nature", "size", "simples", "mei", "partners")))
_OF_ESTABLISHMENT = itemgetter(
    *map(
        ESTABLISHMENT_FIELDS.index,
        (
            "kind", "trade_name", "status", "opened", "activity", "other_activities", "postal_code", "state",
            "city",
        ),
    )
)  # fmt: skip
_DOCUMENT = PARTNER_FIELDS.index("document")
_IS_STATE = re.compile("[A-Z]{2}").fullmatch
_COMPANY_PARTNER = f"1{PART_SEPARATOR}"
ROOT_LENGTH, _CNPJ_LENGTH = 8, 14


class Part(NamedTuple):
    """What a row adds to a document: the folded words of a name, and the words of values in one text."""

    names: tuple[str, ...]
    values: str


def company_part(row: str) -> Part:
    """Return a company's part of the documents of its establishments. Raise `ValueError` for another row."""
    name, nature, size, simples, mei, partners = _OF_COMPANY(row_values(COMPANY_FIELDS, row))
    values = (
        f"{NATURE}{nature} {SIZE}{size} {SIMPLES}{YES if simples == 'S' else NO} {MEI}{YES if mei == 'S' else NO}"
    )
    if _COMPANY_PARTNER in partners:
        values += "".join(f" {PARTNER}{document}" for document in _company_partners(partners))
    return Part(fold(name), values)


def _company_partners(partners: str) -> set[str]:
    """Return the CNPJs of the partners that are companies."""
    found = (
        partner.split(PART_SEPARATOR)[_DOCUMENT]
        for partner in partners.split(ITEM_SEPARATOR)
        if partner.startswith(_COMPANY_PARTNER)
    )
    return {document for document in found if len(document) == _CNPJ_LENGTH and document.isalnum()}


def establishment_part(row: str) -> Part:
    """Return an establishment's part of its document. Raise `ValueError` for another row."""
    kind, trade_name, status, opened, activity, others, postal_code, state, city = _OF_ESTABLISHMENT(
        row_values(ESTABLISHMENT_FIELDS, row)
    )
    values = f"{HEAD_OFFICE}{kind} {_place_words(state, status, city)} {MAIN_ACTIVITY}{activity} {ACTIVITY}{activity}"
    if others:
        values += f" {ACTIVITY}{others.replace(',', f' {ACTIVITY}')}"
    if opened:
        values += f" {OPENED}{opened[:4]} {OPENED}{opened[:6]} {OPENED}{opened}"
    if postal_code:
        values += f" {POSTAL_CODE}{postal_code} {POSTAL_CODE}{postal_code[:5]}"
    return Part(fold(trade_name) if trade_name else (), values)


@lru_cache(maxsize=100_000)
def _place_words(state: str, status: str, city: str) -> str:
    words = f"{STATUS}{status} {CITY}{city}"
    return f"{words} {STATE}{state} {STATE_AND_STATUS}{state}{status}" if _IS_STATE(state) else words


@lru_cache(maxsize=200_000)
def name_words(word: str) -> str:
    """Return what a name's word is indexed by, in one text.

    >>> name_words("SA"), name_words("BAR"), name_words("PADARIA")
    ('SA', 'BAR_', 'PAD_ PADA_ PADARIA')
    """
    if len(word) < MIN_PREFIX:
        return word
    beginnings = [f"{word[:length]}_" for length in range(MIN_PREFIX, min(len(word), LONGEST_BEGINNING) + 1)]
    return " ".join(beginnings if len(word) <= LONGEST_BEGINNING else (*beginnings, word))


class Document(NamedTuple):
    """An establishment's number, the distinct words of its names, and the words of its values in one text."""

    number: str
    names: frozenset[str]
    values: str

    def words(self) -> str:
        """Return everything that it is indexed by, with blanks between."""
        return " ".join([*map(name_words, self.names), self.values])


def documents(rows: Iterable[tuple[str, str]]) -> Iterator[Document]:
    """Yield a document for each establishment that has both rows. ``rows``: keys and bodies, sorted."""
    root, company = "", None
    for key, body in rows:
        if len(key) == ROOT_LENGTH:
            root, company = key, company_part(body) if body else None
        elif body and company and key.startswith(root):
            own = establishment_part(body)
            yield Document(
                key, frozenset(company.names + own.names), f"{company.values} {own.values}"
            )
