"""Tax numbers, keys and amounts: whatever is typed."""

import string
from collections.abc import Callable
from contextlib import nullcontext
from random import Random
from typing import Any

from brcode import InvalidCharge, parse_amount, parse_key
from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.registry import parse_cnpj
from lab.fuzz import hostile
from lab.fuzz.driving import Open
from taxid import cnpj, cpf

MASKS = {cnpj: "AA.AAA.AAA/AAAA-DD", cpf: "DDD.DDD.DDD-DD"}


def open_numbers() -> Open:
    """Open a target that compares all parsers of numbers on one text."""
    return nullcontext(_try)


def _try(chance: Random) -> None:
    text = _text(chance)
    for kind in (cnpj, cpf):
        number = kind.compact(text)
        assert kind.is_valid(text) is _is_valid(kind, text)
        if number is not None:
            assert kind.compact(kind.format(number)) == number
            assert kind.is_valid(number) is _is_valid(kind, number)
    value = chance.choice([text, hostile.value(chance, 1), chance.randrange(10**14)])
    if isinstance(value, str | int):
        _same(lambda: parse_cnpj(value), InvalidCnpj, lambda found: cnpj.is_valid(found))
    _same(lambda: parse_key(value), InvalidCharge, lambda found: parse_key(found.value, found.type) == found)
    _same(lambda: parse_amount(value), InvalidCharge, lambda found: parse_amount(found) == found)


def _same(read: Callable[[], Any], refusal: type[Exception], holds: Callable[[Any], bool]) -> None:
    """What is read is read the same again, or refused."""
    try:
        found = read()
    except refusal:
        return
    assert holds(found)


def _text(chance: Random) -> str:
    letters = {"A": string.digits + string.ascii_uppercase * (chance.random() < 0.5), "D": string.digits}
    mask = chance.choice([*MASKS.values()])
    number = "".join(chance.choice(letters.get(mark, mark)) for mark in mask)
    if chance.random() < 0.5:
        number = "".join(letter for letter in number if letter.isalnum())
    way = chance.randrange(4)
    return number if way < 2 else hostile.changed(chance, number, 2) if way == 2 else hostile.text(chance)


def _is_valid(kind: Any, number: str) -> bool:
    """The published rule, written a second time."""
    size = 14 if kind is cnpj else 11
    allowed = set(string.digits + (string.ascii_uppercase if kind is cnpj else ""))
    if len(number) != size or len(set(number)) == 1:
        return False
    if not set(number[:-2]) <= allowed or not set(number[-2:]) <= set(string.digits):
        return False
    for end in (size - 2, size - 1):
        places = range(end)
        weights = [(end - place - 1) % 8 + 2 if kind is cnpj else end + 1 - place for place in places]
        rest = (
            sum((ord(number[place]) - 48) * weight for place, weight in zip(places, weights, strict=True))
            % 11
        )
        if ord(number[end]) - 48 != (0 if rest < 2 else 11 - rest):
            return False
    return True
