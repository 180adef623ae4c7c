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
PERSON = re.compile(
    r"\*{3}\.?\d{3}\.?\d{2,3}-?\*{2,3}"  # a CPF as the register's copies and providers mask it
    r"|(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)"
    r"|\A\d{8}(?= )|\A[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}(?= )"  # a root before its owner
)
_ARTICLES = {"A", "O", "AS", "OS"}
_BRANCH = re.compile(r"[ -](?:(?:LOJA|LJ|FILIAL|UNIDADE) ?\d{1,4}|FILIAL|MATRIZ)\Z")
_CONDITION = re.compile(r"\bEM (?:RECUPERACAO JUDICIAL|LIQUIDACAO)\b.*")


@dataclass(frozen=True)
class Name:
    """A name in its parts.

    ``text``: the name as an encoder without a limit writes it; ``letters``: the same without legal form and
    spaces. ``number``: the CPF or the root in it, as names of one-person firms have. ``ends_open``: it ends
    in a link.
    """

    text: str
    words: tuple[str, ...]
    letters: str
    number: str
    ends_open: bool

    @property
    def may_be_cut(self) -> bool:
        """Whether its last word may be cut."""
        return LIMIT - 1 <= len(self.text) <= LIMIT

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
        return bool(self.number) or all(len(word) < 3 or word in PEOPLE for word in self.distinctive_words)

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
    text = plain_text(text)
    number = re.sub("[.-]", "", found[0]) if (found := PERSON.search(text)) else ""
    tokens = _tokens(PERSON.sub(" ", text))
    letters = "".join(tokens)
    words = [_canonical(token) for token in tokens if token not in LINKS]
    if len(re.sub("[0-9]", "", letters)) < 2 or all(word in NOTHING or word.isdigit() for word in words):
        return None
    return Name(text, tuple(words), letters, number, tokens[-1] in LINKS)


def plain_text(text: str) -> str:
    """Return a name as an encoder without a limit writes it, in upper case."""
    return clean("merchant_name", text[:_MOST])[0].upper()[:_LONGEST]


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
