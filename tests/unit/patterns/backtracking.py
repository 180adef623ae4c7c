"""A regular expression engine that counts its steps, as a backtracking matcher such as CPython's takes them.

It reads the tree that ``re`` itself compiles. Every look at a node of it is a step, so growth can be measured
exactly, on any machine.
"""

import re._constants as sre
import re._parser as parser
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

__all__ = ["TooManySteps", "first_end", "hostile_texts", "steps"]

_MOST_STEPS = 100_000
_NOWHERE = "\x00"  # a character that patterns seldom name
_ALPHABET = "".join(map(chr, range(128))) + "éÇ٣\u2003☃"


class TooManySteps(Exception):
    """A text takes more steps than any linear pattern takes."""


class _Matcher:
    def __init__(self, text: str, flags: int) -> None:
        self.text = text
        self.flags = flags
        self.steps = 0
        self.groups: dict[int, tuple[int, int]] = {}

    def ends(self, nodes: list[Any], start: int) -> Iterator[int]:
        """Where a match of the nodes may end, in the order in which the engine tries."""
        if not nodes:
            yield start
            return
        for end in self._ends_of(nodes[0], start):
            yield from self.ends(nodes[1:], end)

    def _ends_of(self, node: Any, start: int) -> Iterator[int]:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooManySteps
        operation, value = node
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            yield from self._repeat(operation, *value, start)
        elif operation is sre.SUBPATTERN:
            for end in self.ends(list(value[3]), start):
                self.groups[value[0]] = (start, end)
                yield end
        elif operation is sre.BRANCH:
            for way in value[1]:
                yield from self.ends(list(way), start)
        elif operation is sre.AT:
            if self._is_at(value, start):
                yield start
        elif operation in (sre.ASSERT, sre.ASSERT_NOT):
            width = value[1].getwidth()[1] if value[0] < 0 else 0
            seen = start >= width and any(True for _ in self.ends(list(value[1]), start - width))
            if seen is (operation is sre.ASSERT):
                yield start
        elif operation is sre.GROUPREF:
            begin, end = self.groups.get(value, (0, 0))
            if self.text.startswith(self.text[begin:end], start):
                yield start + end - begin
        elif start < len(self.text) and _takes(node, self.text[start], self.flags):
            yield start + 1

    def _repeat(self, operation: Any, least: int, most: int, body: Any, start: int) -> Iterator[int]:
        if operation is sre.MIN_REPEAT:
            yield from self._lazily(list(body), least, most, start)
        elif operation is sre.POSSESSIVE_REPEAT:
            yield from list(self._greedily(list(body), least, most, start))[:1]
        else:
            yield from self._greedily(list(body), least, most, start)

    def _greedily(self, body: list[Any], least: int, most: int, start: int) -> Iterator[int]:
        if most:
            for end in self.ends(body, start):
                if end > start or least:
                    yield from self._greedily(body, max(0, least - 1), most - 1, end)
        if not least:
            yield start

    def _lazily(self, body: list[Any], least: int, most: int, start: int) -> Iterator[int]:
        if not least:
            yield start
        if most:
            for end in self.ends(body, start):
                if end > start or least:
                    yield from self._lazily(body, max(0, least - 1), most - 1, end)

    def _is_at(self, place: Any, start: int) -> bool:
        if place in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            return start == 0
        if place in (sre.AT_END, sre.AT_END_STRING):
            return start == len(self.text) or (place is sre.AT_END and self.text[start:] == "\n")
        words = [bool(_is_word(letter)) for letter in self.text[max(0, start - 1) : start + 1]]
        return (len(words) == 1 and words[0]) or len(set(words)) == 2 if place is sre.AT_BOUNDARY else True


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _takes(node: Any, letter: str, flags: int) -> bool:
    """Whether a node of one character takes this one."""
    operation, value = node
    if operation is sre.ANY:
        return letter != "\n" or bool(flags & sre.SRE_FLAG_DOTALL)
    if operation in (sre.LITERAL, sre.NOT_LITERAL):
        return (ord(letter) == value) is (operation is sre.LITERAL)
    if operation is sre.RANGE:
        return value[0] <= ord(letter) <= value[1]
    if operation is sre.CATEGORY:
        name = str(value).rpartition("_")[2]
        kinds = {"DIGIT": str.isdecimal, "SPACE": str.isspace, "WORD": _is_word}
        return kinds[name](letter) is ("_NOT_" not in str(value))
    if operation is sre.IN:
        negated = value[0][0] is sre.NEGATE
        return any(_takes(part, letter, flags) for part in value[negated:]) is not negated
    raise NotImplementedError(operation)


def first_end(pattern: str, flags: int, text: str) -> int | None:
    """Where the pattern's match at the beginning of a text ends, if there is one."""
    return next(_Matcher(text, flags).ends(list(parser.parse(pattern, flags)), 0), None)


def steps(pattern: str, flags: int, text: str, anywhere: bool) -> int:
    """How many steps a text takes; ``anywhere``: as ``search`` and ``sub`` do, from every position on."""
    tree = list(parser.parse(pattern, flags))
    matcher, start = _Matcher(text, flags), 0
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)  # each repetition is some frames
    try:
        while start <= len(text):
            end = next(matcher.ends(tree, start), None)
            if not anywhere:
                break
            start = start + 1 if end is None or end == start else end
    finally:
        sys.setrecursionlimit(limit)
    return matcher.steps


def hostile_texts(pattern: str, flags: int, times: int) -> Iterator[str]:
    """What leads to each repetition, then what it repeats, many times, then what does not fit."""
    tree = list(parser.parse(pattern, flags))
    named = [letter for letter in dict.fromkeys(pattern) if letter in _letters_of(tree)]
    for before, body in _repetitions(tree, ""):
        letters = [*_letters(body), *named]
        pumps = {_sample(body), *letters, *map("".join, pairwise(letters))} - {""}
        for pump in sorted(pumps):
            for after in (_NOWHERE, "", pump[:1] + _NOWHERE):
                yield before + pump * times + after


def _letters_of(nodes: list[Any]) -> set[str]:
    """The characters that a pattern names one by one."""
    found: set[str] = set()
    for node in nodes:
        operation, value = node
        if operation is sre.LITERAL:
            found.add(chr(value))
        elif operation in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            found |= _letters_of(list(value[2]))
        for inner in _inner(node):
            found |= _letters_of(inner)
    return found


def _repetitions(nodes: list[Any], before: str) -> Iterator[tuple[str, list[Any]]]:
    for node in nodes:
        operation, value = node
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            if value[1] > 64:  # with fewer it is a constant
                yield before, list(value[2])
            yield from _repetitions(list(value[2]), before)
        for inner in _inner(node):
            yield from _repetitions(inner, before)
        before += _sample([node])


def _inner(node: Any) -> list[list[Any]]:
    operation, value = node
    if operation is sre.SUBPATTERN:
        return [list(value[3])]
    return [list(way) for way in value[1]] if operation is sre.BRANCH else []


def _sample(nodes: list[Any]) -> str:
    """A short text that the nodes take."""
    text = ""
    for node in nodes:
        operation, value = node
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            text += _sample(list(value[2])) * value[0]
        elif inner := _inner(node):
            text += _sample(inner[0])
        elif operation not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT, sre.GROUPREF):
            text += next((letter for letter in _ALPHABET[48:] + _ALPHABET if _takes(node, letter, 0)), "")
    return text


def _letters(nodes: list[Any]) -> list[str]:
    """One or two characters that each node of the body takes."""
    found: dict[str, None] = {}
    for node in nodes:
        operation, value = node
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            found |= dict.fromkeys(_letters(list(value[2])))
        elif inner := _inner(node):
            found |= dict.fromkeys(letter for way in inner for letter in _letters(way))
        elif operation not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT, sre.GROUPREF):
            fitting = [letter for letter in _ALPHABET if _takes(node, letter, 0)]
            found |= dict.fromkeys([*fitting[:1], *fitting[len(fitting) // 2 :][:1], *fitting[-1:]])
    return list(found)[:6]
