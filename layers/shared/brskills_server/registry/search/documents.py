"""The words under which an establishment is indexed: those of its names, and one for each value of a filter.

A value's word begins with ``_`` and its field's letter, as in ``_C7107``; no word of a name has ``_``. A
name's word of four letters or more is also indexed by its first four, as ``PADA_``, for beginnings of many
words would be slow to find otherwise.
"""

import re
from functools import lru_cache
from operator import itemgetter

from brskills_server.registry.search.words import JOINT_STOCK, fold_part
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    PARTNER_FIELDS,
    row_values,
)

OTHER_ACTIVITY, CITY_AND_STATUS, CITY, OPENED, BRANCH, MAIN_ACTIVITY = "_A", "_B", "_C", "_D", "_H", "_M"
NATURE, OPTIONS, SIZE, PARTNER, STATUS, STATE = "_N", "_O", "_P", "_Q", "_S", "_U"
STATE_AND_STATUS, POSTAL_CODE = "_V", "_Z"
"""``BRANCH``: of what is not a head office, with its kind. ``OPTIONS``: Simples, then MEI, as in ``_OSN``."""
COUNTED = CITY_AND_STATUS, CITY, OPENED, SIZE, STATUS, STATE
"""The fields that the vocabulary has beside the words and beginnings of names; of ``OPENED``, years alone."""
YES, NO = "S", "N"
"""Of ``OPTIONS``; what is not known is ``NO``."""
HEAD_OFFICE, BRANCHES = "1", ("2", "")
"""The kinds of an establishment; the last one is any other."""
BEGINNING = 4
"""Letters of the beginning by which a name's word is indexed."""
_LONGEST_NAME = 200
"""Characters; the parts of a longer one are hardly repeated."""

ROOT_LENGTH, _CNPJ_LENGTH = 8, 14
_OF_COMPANY = itemgetter(*map(COMPANY_FIELDS.index, ("name", "nature", "size", "simples", "mei", "partners")))
_OF_ESTABLISHMENT = itemgetter(*map(ESTABLISHMENT_FIELDS.index, (
    "kind", "trade_name", "status", "opened", "activity", "other_activities", "postal_code", "state", "city",
)))  # fmt: skip
_DOCUMENT = PARTNER_FIELDS.index("document")
_COMPANY_PARTNER = f"1{PART_SEPARATOR}"
_IS_STATE = re.compile("[A-Z]{2}").fullmatch


class Documents:
    """Makes the documents of rows that are given sorted: a company's before those of its establishments."""

    def __init__(self) -> None:
        self._root = self._company = ""

    def document(self, key: str, words: str) -> str:
        """Return the words of an establishment and of its company; none if one of both rows has none.

        ``words``: of the row, as of `row_words`.
        """
        if len(key) == ROOT_LENGTH:
            self._root, self._company = key, words
        elif words and self._company and key.startswith(self._root):
            return f"{self._company} {words}"
        return ""


def row_words(key: str, body: str) -> str:
    """Return the words of a company's or an establishment's row; none of an unreadable one.

    Raise `ValueError` for a row with another number of fields.
    """
    if not body:
        return ""
    return _company_words(body) if len(key) == ROOT_LENGTH else _establishment_words(body)


def name_words(name: str) -> str:
    """Return what a name is indexed by: the words of `words.fold`, each behind its beginning.

    >>> name_words("Bar S A"), name_words("PADARIA")
    ('BAR SA', 'PADA_ PADARIA')
    """
    part_words = _known_words if len(name) <= _LONGEST_NAME else _part_words
    words = " ".join(filter(None, map(part_words, name.split())))
    return words[:-3] + JOINT_STOCK if f" {words}".endswith(" S A") else words


def _part_words(part: str) -> str:
    """Return what a name's part without white space is indexed by."""
    return " ".join(
        f"{word[:BEGINNING]}_ {word}" if len(word) >= BEGINNING else word for word in fold_part(part)
    )


_known_words = lru_cache(maxsize=200_000)(_part_words)
"""Most of a register's parts are repeated; so many of any length would fill the memory."""


def _company_words(row: str) -> str:
    """Return the words that all establishments of a company share."""
    name, nature, size, simples, mei, partners = _OF_COMPANY(row_values(COMPANY_FIELDS, row))
    words = f"{name_words(name)} {_kind_words(nature, size, simples, mei)}"
    if _COMPANY_PARTNER in partners:
        words += "".join(f" {PARTNER}{number}" for number in _company_partners(partners))
    return words


def _establishment_words(row: str) -> str:
    kind, trade_name, status, opened, activity, others, postal_code, state, city = _OF_ESTABLISHMENT(
        row_values(ESTABLISHMENT_FIELDS, row)
    )
    words = (
        f"{_place_words(state, status)} {CITY}{city} {CITY_AND_STATUS}{city}{status} {_day_words(opened)}"
        f" {MAIN_ACTIVITY}{activity}"
    )
    if kind != HEAD_OFFICE:
        words += f" {BRANCH}{kind if kind in BRANCHES else ''}"
    if others:
        words += f" {OTHER_ACTIVITY}{others.replace(',', f' {OTHER_ACTIVITY}')}"
    if postal_code:
        words += f" {POSTAL_CODE}{postal_code}"
    if trade_name:
        words += f" {name_words(trade_name)}"
    return words


@lru_cache(maxsize=10_000)
def _kind_words(nature: str, size: str, simples: str, mei: str) -> str:
    options = f"{YES if simples == YES else NO}{YES if mei == YES else NO}"
    return f"{NATURE}{nature} {SIZE}{size} {OPTIONS}{options}"


@lru_cache(maxsize=1_000)
def _place_words(state: str, status: str) -> str:
    known = state if _IS_STATE(state) else ""
    return f"{STATUS}{status} {STATE}{known} {STATE_AND_STATUS}{known}{status}"


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
