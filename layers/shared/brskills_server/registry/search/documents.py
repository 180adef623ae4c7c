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

OTHER_ACTIVITY, MAIN_ACTIVITY, STATE, STATE_AND_STATUS, STATUS, CITY = "a_", "m_", "u_", "v_", "s_", "c_"
POSTAL_CODE, NATURE, SIZE, BRANCH, OPTIONS = "z_", "n_", "p_", "h_", "o_"
OPENED, PARTNER = "d_", "q_"
"""``BRANCH``: of what is no head office, with its kind. ``OPTIONS``: Simples, then MEI, as in ``o_SN``."""
YES, NO = "S", "N"
"""Of ``OPTIONS``; what is not known is ``NO``."""
HEAD_OFFICE, BRANCHES = "1", ("2", "")
"""The kinds of an establishment; the last one is any other."""
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
    """An establishment's number, and everything that it is indexed by, with blanks between.

    ``counted``: what the vocabulary counts: the distinct words of names, those of the year of opening, and of
    the values of fields that have few.
    """

    number: str
    words: str
    counted: tuple[str, ...]


class _Company(NamedTuple):
    """A document's part that all establishments of a company share."""

    names: tuple[str, ...]
    words: str
    size: str


def documents(rows: Iterable[tuple[str, str]]) -> Iterator[Document]:
    """Yield a document for each establishment that has both rows. ``rows``: keys and bodies, sorted.

    Raise `ValueError` for a row with another number of fields.
    """
    root, company = "", None
    for key, body in rows:
        if len(key) == ROOT_LENGTH:
            root, company = key, _of_company(body) if body else None
        elif body and company and key.startswith(root):
            yield _of_establishment(key, body, company)


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


def _of_company(row: str) -> _Company:
    name, nature, size, simples, mei, partners = _OF_COMPANY(row_values(COMPANY_FIELDS, row))
    names = tuple(dict.fromkeys(fold(name)))
    words = " ".join([*map(name_words, names), _kind_words(nature, size, simples, mei)])
    if _COMPANY_PARTNER in partners:
        words += "".join(f" {PARTNER}{number}" for number in _company_partners(partners))
    return _Company(names, words, SIZE + size)


def _of_establishment(number: str, row: str, company: _Company) -> Document:
    kind, trade_name, status, opened, activity, others, postal_code, state, city = _OF_ESTABLISHMENT(
        row_values(ESTABLISHMENT_FIELDS, row)
    )
    place, counted = _place_words(state, status)
    words = f"{company.words} {place} {CITY}{city} {_day_words(opened)} {MAIN_ACTIVITY}{activity}"
    if kind != HEAD_OFFICE:
        words += f" {BRANCH}{kind if kind in BRANCHES else ''}"
    if others:
        words += f" {OTHER_ACTIVITY}{others.replace(',', f' {OTHER_ACTIVITY}')}"
    if postal_code:
        words += f" {POSTAL_CODE}{postal_code} {POSTAL_CODE}{postal_code[:5]}"
    names = company.names
    if trade_name:
        own = [word for word in dict.fromkeys(fold(trade_name)) if word not in names]
        words, names = " ".join([words, *map(name_words, own)]), (*names, *own)
    return Document(number, words, (*names, *counted, company.size, OPENED + opened[:4]))


@lru_cache(maxsize=10_000)
def _kind_words(nature: str, size: str, simples: str, mei: str) -> str:
    options = f"{YES if simples == YES else NO}{YES if mei == YES else NO}"
    return f"{NATURE}{nature} {SIZE}{size} {OPTIONS}{options}"


@lru_cache(maxsize=10_000)
def _place_words(state: str, status: str) -> tuple[str, tuple[str, str]]:
    """Return the words of a state and a status, and those of them that are counted."""
    known = state if _IS_STATE(state) else ""
    counted = STATUS + status, STATE + known
    return f"{' '.join(counted)} {STATE_AND_STATUS}{known}{status}", counted


@lru_cache(maxsize=50_000)
def _day_words(opened: str) -> str:
    """Return the words of a day's decade, year, month and itself."""
    return " ".join(OPENED + opened[:length] for length in (3, 4, 6, 8)) if opened else OPENED


def _company_partners(partners: str) -> set[str]:
    """Return the CNPJs of the partners that are companies."""
    found = (
        partner.split(PART_SEPARATOR)[_DOCUMENT]
        for partner in partners.split(ITEM_SEPARATOR)
        if partner.startswith(_COMPANY_PARTNER)
    )
    return {number for number in found if len(number) == _CNPJ_LENGTH and number.isalnum()}
