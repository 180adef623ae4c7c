"""Matching the words of a code's name with those of the registry's name, and what a match proves."""

from typing import NamedTuple

from brskills_server.skills.payee.alike import stands_for
from brskills_server.skills.payee.reading import Name, is_proof
from brskills_server.skills.payee.vocabulary import FILLERS, GIVEN, NOTHING, PEOPLE, SHARED

_FRAGMENT = 4  # least letters of a cut word that prove something


class _Step(NamedTuple):
    """``taken`` words of the code match those of the name at ``places``; initials are not ``whole``."""

    taken: int
    places: range
    whole: bool = True


def is_the_same(code: Name, name: Name) -> bool:
    """Return whether the code's name is certainly the registry's: written out, shortened or cut."""
    if code.letters == name.letters or (code.words == name.words and not code.ends_open):
        return len(name.words) > 1 or name.words[0] not in SHARED
    steps = [] if code.ends_open else _steps(code, name)
    places = {place for step in steps for place in step.places}
    if not places:
        return False
    proofs = {name.words[place] for step in steps if step.whole for place in step.places}
    proofs = {word for word in proofs if is_proof(word)}
    missing = {word for place, word in enumerate(name.words) if place not in places}
    if not missing <= SHARED or proofs <= GIVEN:
        return False
    # One word is enough unless the word of a trade is missing: "Aurora" may not be "Hotel Aurora"
    return not missing or len(proofs) > 1 or (missing <= FILLERS and not proofs <= PEOPLE)


def _steps(code: Name, name: Name) -> list[_Step]:
    """Return a step for each word of the code, in order; none where one of them matches nothing.

    Words of trades match anywhere in the name, the others in their order only.
    """
    steps: list[_Step] = []
    rest, at, used = code.words, 0, set[int]()
    while rest:
        step = _step(code, rest, name, at, used)
        if step:
            steps.append(step)
            used.update(step.places)
            if name.words[step.places[0]] not in SHARED:
                at = step.places[-1] + 1
        elif rest[0] not in NOTHING:
            return []
        rest = rest[step.taken if step else 1 :]
    return steps


def _step(code: Name, rest: tuple[str, ...], name: Name, at: int, used: set[int]) -> _Step | None:
    word, words = rest[0], name.words
    for place, other in enumerate(words):
        if place in used or (place < at and other not in SHARED):
            continue
        here = range(place, place + 1)
        if stands_for(word, other):
            return _Step(1, here)
        for size in (2, 3, 4):
            if len(words) >= place + size and word == "".join(words[place : place + size]):
                return _Step(1, range(place, place + size))
            if len(rest) >= size and other == "".join(rest[:size]):
                return _Step(size, here)
        if place and word == other[0]:
            return _Step(1, here, whole=False)
        if len(rest) == 1 and code.may_be_cut and place > max(used, default=-1) and other.startswith(word):
            return _Step(1, here, whole=len(word) >= _FRAGMENT)
    return None
