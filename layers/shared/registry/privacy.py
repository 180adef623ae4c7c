"""Hiding CPFs. About one legal name in six ends in its owner's CPF, which is personal data (LGPD).

A CPF is shown the way the registry itself shows those of partners: its middle six digits.

>>> hide_cpfs("NOME FICTICIO DE MEI 11144477735"), person_document("111.444.777-35")
('NOME FICTICIO DE MEI ***444777**', '***444777**')
"""

import re

from taxid import cpf

__all__ = ["hide_cpfs", "person_document"]

# Check digits are not tested: a mistyped CPF is still personal data, and a hidden phone does no harm.
_CPF = re.compile(r"(?<!\d)\d{3}[-.\s]?\d{3}[-.\s]?\d{3}[-./\s]?\d{2}(?!\d)")
_MASKED = re.compile(r"\*{3}\d{6}\*{2}\Z")
_NOBODY = "***000000**"


def hide_cpfs(text: str) -> str:
    """The text with every eleven-digit number in it masked, also one written with its dots and dash."""
    return _CPF.sub(lambda match: _hidden(match.group()), text)


def person_document(text: str) -> str | None:
    """A person's CPF, masked; ``None`` for anything else, such as the registry's marks for "none"."""
    bare = re.sub(r"[.\-\s]", "", text)
    masked = _mask(bare) if re.fullmatch(r"\d{11}", bare) else bare
    return masked if _MASKED.match(masked) and masked != _NOBODY else None


def _hidden(found: str) -> str:
    # Groups with blanks between them may be rooms of a building: only there the check digits decide.
    if re.search(r"\s", found) and not cpf.is_valid(re.sub(r"\D", "", found)):
        return found
    return _mask(found)


def _mask(number: str) -> str:
    digits = re.sub(r"\D", "", number)
    return f"***{digits[3:9]}**"
