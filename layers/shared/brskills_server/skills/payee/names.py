"""Comparing the name in a Pix code with the names that the registry has of a company.

>>> compare_names("Padaria Estrela do Sul", "PADARIA ESTRELA DO SUL LTDA", None)
'confere'
"""

import re
from collections.abc import Iterator
from typing import Literal

from brskills_server.skills.payee.alike import is_built_of, may_be, stands_for
from brskills_server.skills.payee.encoded import agree, is_encoded
from brskills_server.skills.payee.explain import is_the_same
from brskills_server.skills.payee.reading import Name, plain_text, read_name
from brskills_server.skills.payee.vocabulary import FAMOUS

NameMatch = Literal["confere", "parecido", "diverge", "desconhecido"]

_SURE = 4  # letters of a name's distinctive words, below which it is too short to be another's for certain
_WITH_ACRONYM = re.compile(r"(.+) S[./ ]?A[ .-]+([A-Z]{5,})")
_FAMOUS = re.compile(rf"\b(?:{'|'.join(FAMOUS)})\b")


def compare_names(written: str, *names: str | None) -> NameMatch:
    """Return how the name in a code compares with the legal and trade names of a company.

    ``confere``: it is one of them, written out, shortened or cut; ``diverge``: it has nothing in common with
    any; ``parecido``: it has something in common, but not enough; ``desconhecido``: there is nothing to
    compare.
    """
    text = plain_text(written)
    if any(is_encoded(text, plain_text(name)) for name in names if name):
        return "confere"
    code = read_name(text)
    registered = {name for name in map(read_name, filter(None, names)) if name}
    if code is None:
        return "desconhecido"
    found = {_compare(code, name) for name in registered}
    if found == {"diverge"} and _may_have_a_brand(registered) and not _cannot_be_a_brand(code):
        return "desconhecido"
    matches: tuple[NameMatch, ...] = ("confere", "parecido", "diverge")
    return next((match for match in matches if match in found), "desconhecido")


def _may_have_a_brand(registered: set[Name]) -> bool:
    """Return whether the firm may use another name: the registry has only its owners' names, or one name
    without a trade."""
    if len({name.letters for name in registered}) > 1:
        return all(name.is_personal and name.has_no_trade for name in registered)
    return all(name.is_personal or name.has_no_trade for name in registered)


def _cannot_be_a_brand(code: Name) -> bool:
    return code.is_person or _FAMOUS.search(code.text) is not None


def _compare(code: Name, name: Name) -> NameMatch:
    if not _differ_in_number(code, name) and any(is_the_same(code, own) for own in _forms_of(name)):
        return "confere"
    if name.text.startswith(code.text):
        return "parecido"
    if _are_two_people(code, name):
        return "diverge"
    if _has_in_common(code, name):
        return "parecido"
    if not _FAMOUS.search(code.text) and (
        not name.distinctive_words or sum(map(len, code.distinctive_words)) < _SURE
    ):
        return "parecido" if _shares_a_trade(code, name) else "desconhecido"
    return "diverge"


def _differ_in_number(code: Name, name: Name) -> bool:
    """Return whether both have a CPF, or a root, and not the same: they are namesakes."""
    return len(code.number) == len(name.number) and not agree(code.number, name.number)


def _forms_of(name: Name) -> Iterator[Name]:
    """Yield a name, and both of its parts in "Petroleo Brasileiro SA Petrobras": full name and acronym."""
    yield name
    if halves := _WITH_ACRONYM.fullmatch(name.text):
        full, acronym = map(read_name, halves.groups())
        if full and acronym and _is_acronym(acronym.letters, full.words):
            yield full
            yield acronym


def _is_acronym(letters: str, words: tuple[str, ...]) -> bool:
    """Return whether letters are built of several words; the beginning of one may be any firm's name."""
    return is_built_of(letters, words) and not any(word.startswith(letters) for word in words)


def _are_two_people(code: Name, name: Name) -> bool:
    """Return whether both are names of people and neither's first name is in the other."""
    if not code.is_person or not (name.number or name.begins_as_a_person):
        return False
    return not any(_may_be_called(code.words[0], word) for word in name.words) and not any(
        _may_be_called(name.words[0], word) for word in code.words
    )


def _may_be_called(given: str, word: str) -> bool:
    return may_be(given, word) or given[0] == word or given == word[0]


def _has_in_common(code: Name, name: Name) -> bool:
    own = code.proofs or code.distinctive_words
    return (
        any(may_be(word, other) for word in own for other in name.words)
        or any(_is_made_of(word, name) for word in own)
        or any(_is_made_of(word, code) for word in (*name.distinctive_words, name.single_letters))
    )


def _is_made_of(word: str, name: Name) -> bool:
    """Return whether a word is in a name without its spaces, or is an acronym of it."""
    return (
        (len(word) > 3 and word in name.letters)
        or (1 < len(word) < 7 and word in name.initials)
        or (3 < len(word) < 30 and is_built_of(word, name.words))
    )


def _shares_a_trade(code: Name, name: Name) -> bool:
    return any(
        stands_for(word, other) or stands_for(other, word) for word in code.words for other in name.words
    )
