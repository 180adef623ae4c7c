"""Hostile texts and JSON by chance, and changes of what is right: all of it from one ``Random``."""

import json
import string
from copy import deepcopy
from random import Random
from typing import Any

ODD = [
    "", " ", "\x00", "\r\nX-Evil: 1", "\ud800", "\udfff", "\ufffd", "\ufeff", "\u202e", "\u2028", "İ", "ß",
    "ﷺ", "٣", "²", "\U0001f35e", "null", "NaN", "-0", "1e400", "1E-999999999", "9" * 400, "0" * 5_000,
    "../..", "%00", "{{7*7}}", "${jndi:x}", "<script>", "' OR 1=1 --", "%(x)s", "{0.__class__}",
    "a" * 100_000, "é" * 3_000, "1/" * 2_000, "(" * 2_000, "-" * 2_000, " " * 20_000, "=?utf-8?q?=00?=",
    "http://[::1", "https://a@b:99999/", "529.982.247-25", "12.ABC.345/01DE-35", "SANDBOX1000170",
    "+5511987654321", "a@b.c", "*", ",", ";", "=", "&",
]  # fmt: skip
ALPHABETS = [
    string.digits,
    string.ascii_letters + string.digits,
    string.printable,
    "".join(map(chr, range(0x20, 0x180))),
    "\x00\x1f\x7f\x80\xa0\u0130\u0131\u200b\u2028\ud83c\udf5e\ufeff\ufffd\U0010ffff",
]
NUMBERS = [0, -1, 1, 10**13, 10**18, 2**63, -(2**31), 10**400, 0.1, -0.0, 1e308, float("nan"), float("-inf")]


def text(chance: Random, most: int = 40) -> str:
    """A text that nobody would type."""
    if chance.random() < 0.4:
        return chance.choice(ODD)
    alphabet = chance.choice(ALPHABETS)
    return "".join(chance.choices(alphabet, k=chance.randrange(most)))


def value(chance: Random, deep: int = 3) -> Any:
    """Any JSON."""
    kind = chance.randrange(7 if deep else 5)
    if kind < 2:
        return text(chance)
    if kind == 2:
        return chance.choice(NUMBERS)
    if kind == 3:
        return chance.choice([None, True, False, [], {}])
    if kind == 4:
        return chance.randrange(-(10**6), 10**15)
    if kind == 5:
        return [value(chance, deep - 1) for _ in range(chance.randrange(4))]
    return {text(chance, 8): value(chance, deep - 1) for _ in range(chance.randrange(4))}


def changed(chance: Random, right: str, most: int = 4) -> str:
    """A text with some of its places cut, doubled or written over."""
    for _ in range(chance.randint(1, most)):
        at = chance.randrange(len(right) + 1)
        end = min(len(right), at + chance.choice([0, 1, 1, 2, 4, 30]))
        put = chance.choice(
            ["", text(chance, 4), right[at:end] * 2, chr(chance.randrange(32, 127)), right[:at]]
        )
        right = (right[:at] + put + right[end:])[:200_000]
    return right


def changed_json(chance: Random, right: Any, most: int = 4) -> Any:
    """JSON with some of its values changed, left out, doubled or wrapped."""
    right = [deepcopy(right)]
    for _ in range(chance.choice([1, 1, 1, 2, most])):
        places = list(_places(right))
        container, name = chance.choice(places[1:] if len(places) > 1 and chance.random() < 0.9 else places)
        old = container[name]
        way = chance.randrange(8)
        if way == 0 and isinstance(container, dict):
            del container[name]
        elif way == 1 and isinstance(container, dict):
            container[text(chance, 8)] = container.pop(name)
        elif way == 2:
            container[name] = [old] if chance.random() < 0.5 else {"id": old}
        elif way == 3:
            container[name] = str(old)
        elif way == 4 and isinstance(old, str):
            container[name] = changed(chance, old)
        elif way == 5 and isinstance(old, list):
            container[name] = old * chance.choice([0, 2, 20, 120])
        elif way == 6 and isinstance(old, int | float):
            container[name] = chance.choice([-old, old * 10, str(old), [old]])
        else:
            container[name] = value(chance)
    return right[0]


def _places(container: Any) -> Any:
    items = container.items() if isinstance(container, dict) else enumerate(container)
    for name, inner in list(items):
        yield container, name
        if isinstance(inner, dict | list):
            yield from _places(inner)


def json_bytes(chance: Random, content: Any) -> bytes:
    """JSON in unusual forms, and sometimes invalid."""
    written = json.dumps(content, ensure_ascii=chance.random() < 0.5)
    way = chance.randrange(24)
    if way == 0:
        written = changed(chance, written)
    if way == 1 and written.startswith("{"):  # a name that is there twice
        written = "{" + json.dumps(text(chance, 6)) + ": 1, " + written[1:-1] + ", " + written[1:]
    if way == 2:
        written = "[" * chance.choice([10, 1_000, 100_000]) + written
    raw = written.encode(
        chance.choice(["utf-8"] * 30 + ["utf-16", "utf-8-sig", "utf-32-be"]), "surrogatepass"
    )
    if way == 3:
        at = chance.randrange(len(raw) + 1)
        raw = raw[:at] + chance.randbytes(chance.randrange(8)) + raw[at + chance.randrange(4) :]
    return raw
