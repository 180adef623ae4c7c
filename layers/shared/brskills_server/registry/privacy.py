"""Masking of CPFs. About one legal name in six ends in its owner's CPF, which is personal data (LGPD).

The mask leaves the middle six digits, as the registry itself masks those of partners.

>>> hide_cpfs("NOME FICTICIO DE MEI 11144477735"), person_document("111.444.777-35")
('NOME FICTICIO DE MEI ***444777**', '***444777**')
"""

import re
import unicodedata

from taxid import cnpj, cpf

_LENGTH = 11
_ELEVEN_DIGITS = re.compile(r"[0-9](?<![0-9][0-9])(?:[^0-9A-Za-z]*+[0-9]){10}+(?![0-9])")
# Check digits are not tested: a mistyped CPF is still personal data, and a masked phone does no harm.
_WRITTEN_AS_CPF = re.compile(r"[0-9]{3}[-.]?[0-9]{3}[-.]?[0-9]{3}[-./]?[0-9]{2}")
_WRITTEN_AS_MOBILE = re.compile(r"[0-9]{2}\)? ?9 ?[0-9]{4}[-. ]?[0-9]{4}")
_PADDED = re.compile(r"(?<![0-9])000[0-9]{11}(?![0-9])")  # to the length of a CNPJ
_MASKED = re.compile(r"\*{3}[0-9]{6}\*{2}")
_NONE = "***000000**"
_DOTS = "\u00b7\u2022\u2024\u2027\u2219\u22c5\u3002\u30fb\ufe52\uff0e\uff61\uff65"
_MINUS_SIGNS = "\u02d7\u2043\u207b\u208b\u2212"
_SLASHES = "\u2044\u2215\u29f8\uff0f"


def hide_cpfs(text: str) -> str:
    """Return the text with every CPF in it masked, with anything but letters between its digits.

    Eleven digits in one or in the groups of a CPF, with dots and dashes, are one. In another form they may be
    the rooms of a building: only there the check digits decide, and the groups of a mobile number stay.
    """
    if len(text) < _LENGTH:
        return text
    if "000" in text:
        text = _PADDED.sub(_hide_padded, text)
    plain = _plain(text)
    parts, done, at = [], 0, 0
    while found := _ELEVEN_DIGITS.search(plain, at):
        digits = _digits(found[0])
        if _WRITTEN_AS_CPF.fullmatch(found[0]) or (
            cpf.is_valid(digits) and not _WRITTEN_AS_MOBILE.fullmatch(found[0])
        ):
            parts += [text[done : found.start()], _mask(digits)]
            done = at = found.end()
        else:
            at = found.start() + 1
    return "".join([*parts, text[done:]]) if parts else text


def person_document(text: str) -> str | None:
    """Return a person's CPF, masked; ``None`` for anything else, such as the registry's marks for "none"."""
    bare = re.sub(r"[^0-9A-Za-z*]", "", "".join(map(_plain_character, text)))
    masked = _mask(bare) if re.fullmatch(r"[0-9]{11}", bare) else bare
    return masked if _MASKED.fullmatch(masked) and masked != _NONE else None


def _plain(text: str) -> str:
    """Return the text, character by character, in ASCII as far as a CPF is concerned.

    Two asterisks, in which a mask ends, count as letters: so no text is masked twice.
    """
    if not text.isascii():
        try:
            text = text.encode("latin-1").translate(_LATIN_1).decode("ascii")
        except UnicodeEncodeError:
            text = "".join(map(_plain_character, text))
    return text.replace("**", "xx")


def _plain_character(char: str) -> str:
    if char.isascii():
        return char
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    if char.isalnum():
        return "x"
    if char in _DOTS:
        return "."
    if char in _SLASHES:
        return "/"
    return "-" if unicodedata.category(char) == "Pd" or char in _MINUS_SIGNS else " "


def _hide_padded(found: re.Match[str]) -> str:
    is_cpf = cpf.is_valid(found[0][3:]) and not cnpj.is_valid(found[0])
    return _mask(found[0][3:]) if is_cpf else found[0]


def _mask(digits: str) -> str:
    return f"***{digits[3:9]}**"


def _digits(text: str) -> str:
    return re.sub(r"[^0-9]", "", text)


_LATIN_1 = bytes(ord(_plain_character(chr(code))) for code in range(256))
"""Nearly all texts hold no other characters, and bytes are translated at once."""
