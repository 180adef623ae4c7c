"""Parsing a name for comparison: its words without accents, case, legal form, links and people's numbers.

>>> read_name("12.345.678 JOÃO D'ÁVILA & CIA. LTDA - ME").words
('JOAO', 'DAVILA', 'COMPANHIA')
"""

import re
from dataclasses import dataclass
from functools import cached_property

from brcode.text import clean
from brskills_server.skills.payee.vocabulary import (
    FORMS,
    GIVEN,
    LINKS,
    NOTHING,
    NUMBERS,
    PEOPLE,
    SHARED,
    SHORT,
    VAGUE,
    WEAK,
)

LIMIT = 25  # characters of the name in a code
_MOST, _LONGEST = 2_000, 200  # letters before and after what is removed; no name of the register is longer
_PERSON = re.compile(
    r"\*{3}\d{6}\*{2}"  # a CPF as the register's copies and providers are shown it
    r"|(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)"
    r"|\A\d{8}(?= )|\A[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}(?= )"  # a root before its owner
)
_ARTICLES = {"A", "O", "AS", "OS"}
_CUT_NUMBER = re.compile(r" \d{4,10}\Z")
_BRANCH = re.compile(r"[ -](?:(?:LOJA|LJ|FILIAL|UNIDADE) ?\d{1,4}|FILIAL|MATRIZ)\Z")
_CONDITION = re.compile(r"\bEM (?:RECUPERACAO JUDICIAL|LIQUIDACAO)\b.*")


@dataclass(frozen=True)
class Name:
    """A name in its parts.

    ``text``: the name as an encoder without a limit writes it; ``letters``: the same without legal form and
    spaces. ``leads``: for each word, the first of it and the links before it: "DO" of "DO SUL". ``owned``:
    it has a person's number in it, as names of one-person firms do. ``ends_open``: it ends in a link.
    """

    text: str
    words: tuple[str, ...]
    leads: tuple[str, ...]
    letters: str
    owned: bool
    ends_open: bool

    @property
    def may_be_cut(self) -> bool:
        """Whether its last word may be cut."""
        return LIMIT - 1 <= len(self.text) <= LIMIT

    def has_room_for(self, word: str) -> bool:
        """Return whether the code had room for another word."""
        return len(self.text) > LIMIT or len(self.text) + 1 + len(word) <= LIMIT

    @cached_property
    def distinctive_words(self) -> tuple[str, ...]:
        """The words that are not those of a trade."""
        return tuple(word for word in self.words if word not in SHARED and word not in NOTHING)

    @cached_property
    def proofs(self) -> tuple[str, ...]:
        """The distinctive words that identify a firm alone."""
        return tuple(word for word in self.distinctive_words if is_proof(word))

    @cached_property
    def initials(self) -> str:
        """The first letters of its words, as acronyms are made of."""
        return "".join(word[0] for word in self.words if len(word) > 1)

    @property
    def single_letters(self) -> str:
        """Its initials of one letter, as "F D Alimentos" has them."""
        return "".join(word for word in self.words if len(word) == 1)

    @property
    def begins_as_a_person(self) -> bool:
        """Whether it begins with a given name and another name of people."""
        return len(self.words) > 1 and self.words[0] in GIVEN and self.words[1] in PEOPLE

    @property
    def is_personal(self) -> bool:
        """Whether its distinctive words are people's names and initials, as in "Martins e Pereira Modas"."""
        return self.owned or all(len(word) < 3 or word in PEOPLE for word in self.distinctive_words)

    @property
    def is_person(self) -> bool:
        """Whether it is a person's name and nothing else, as far as the lists know."""
        return self.begins_as_a_person and all(len(word) < 3 or word in PEOPLE for word in self.words)

    @property
    def has_no_trade(self) -> bool:
        """Whether no word of it names what the firm does."""
        return not any(word in SHARED and word not in VAGUE for word in self.words)


def is_proof(word: str) -> bool:
    """Return whether a word identifies a firm alone."""
    return len(word) > 2 and not word.isdigit() and word not in SHARED and word not in WEAK


def read_name(text: str) -> Name | None:
    """Return the name in a text; ``None`` for a text without one, such as "PIX", "LTDA" or a number."""
    text = clean("merchant_name", text[:_MOST])[0].upper()[:_LONGEST]
    bare, numbers = _PERSON.subn(" ", text)
    if LIMIT - 1 <= len(text) <= LIMIT:
        bare = _CUT_NUMBER.sub("", bare)
    tokens = _tokens(bare)
    letters = "".join(tokens)
    places = [place for place, token in enumerate(tokens) if token not in LINKS]
    leads = [tokens[before + 1] for before in (-1, *places)[: len(places)]]
    words = [_canonical(tokens[place]) for place in places]
    if len(re.sub("[0-9]", "", letters)) < 2 or all(word in NOTHING or word.isdigit() for word in words):
        return None
    return Name(text, tuple(words), tuple(leads), letters, numbers > 0, tokens[-1] in LINKS)


def _canonical(word: str) -> str:
    return NUMBERS.get(word) or SHORT.get(word, word)


def _tokens(text: str) -> list[str]:
    text = _BRANCH.sub("", _CONDITION.sub("", text.strip(" .-")))
    text = re.sub(r"(?<=\b[A-Z])[./](?=[A-Z]\b)|(?<=\w)['`](?=\w)", "", text)
    # A question mark within a word is a letter that was lost on the way
    tokens = re.findall(r"[A-Z0-9]+(?:\?+[A-Z0-9]+)*", re.sub("[&+]", " E ", text))
    if len(tokens) > 1 and tokens[0] in _ARTICLES and len(tokens[1]) > 1:
        del tokens[0]
    while tokens and (tokens[-1] in FORMS or tokens[-2:] in (["S", "A"], ["S", "S"])):
        del tokens[-1 if tokens[-1] in FORMS else -2 :]
    return tokens
