"""Recognizing a registered name as encoders write it: cut at a code's limit, a CPF in it masked or not.

>>> is_encoded("12.345.678 JOAO DA SILVA P", "12.345.678 JOAO DA SILVA PEREIRA")
True
"""

import re

from brcode.text import clean
from brskills_server.skills.payee.reading import LIMIT, PERSON

_DROPPED = re.compile(r"[^0-9A-Z* ]")
_ANY_CPF = "*" * 11


def is_encoded(written: str, name: str) -> bool:
    """Return whether an encoder makes ``written`` of ``name``, also where a cut leaves common words alone.

    Both are as ``plain_text`` returns them.
    """
    code = _bare(written)
    return bool(code) and any(
        agree(code, _bare(form)[: len(code)]) and len(code) in _lengths(form) for form in _forms(name)
    )


def agree(one: str, other: str) -> bool:
    """Return whether two texts are equal but for digits that one of them masks."""
    return len(one) == len(other) and all(
        a == b or ("*" in (a, b) and (a + b).strip("*").isdigit()) for a, b in zip(one, other, strict=True)
    )


def _lengths(form: str) -> set[int]:
    """Return the lengths that encoders cut a name to: ours after a word, others at the 25th or 24th letter."""
    cuts = clean("merchant_name", form, LIMIT)[0], form[:LIMIT], form[: LIMIT - 1]
    return {len(_bare(cut)) for cut in cuts}


def _forms(name: str) -> set[str]:
    """Return a name with and without punctuation; of a one-person firm also the owner's, alone or with a CPF."""
    forms = {name, _spaced(name.replace("&", " E "))}
    owner = _spaced(PERSON.sub(" ", name))
    if owner and owner != name:
        forms.add(owner)
        if name.endswith(owner):  # a root before it, as the register now writes it in place of a CPF
            forms.add(f"{owner} {_ANY_CPF}")
    return forms | {_bare(form) for form in forms}


def _bare(text: str) -> str:
    return _spaced(_DROPPED.sub("", text))


def _spaced(text: str) -> str:
    return " ".join(text.split())
