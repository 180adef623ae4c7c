r"""Repair of a code whose text was damaged on its way: wrapped, quoted, encoded or robbed of characters.

The payer pastes the very string of the QR code (BCB Manual de Padrões para Iniciação do Pix 2.10.0 §3.1), and
mail, messengers and forms change it. Each possible damage is a spot of the text with several readings; a code
is read by its lengths through all of them, and only one whose own checksum fits is believed.

>>> wrapped = ("00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266\n5544000052040000530398658"
...            "02BR5913Fulano de Tal6008BRASILIA62070503***63041D3D")
>>> suggestion = suggest_repair(f"Pague: {wrapped}")
>>> suggestion.payload == wrapped.replace("\n", ""), suggestion.reasons
(True, ('texto_em_volta', 'espacos'))
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from brcode.crc import checksum
from brcode.model import Suggestion
from brcode.tlv import CRC, LENGTHS, PIX_GUI

REASONS = {
    "codificacao": "encoded_text",
    "texto_em_volta": "text_around",
    "espacos": "white_space_inside",
    "mais": "plus_lost",
    "asteriscos": "asterisks_lost",
    "crc": "crc_zero_lost",
}
"""The reasons of a repair, in their order, and the rule that names each damage."""

_MOST_STEPS = 1_000  # pieces read in all ways together: a text without damage needs some thirty
_MOST_SPACES = 6  # blanks of a line of text that wrapping put in
_LONGEST = 512  # characters of a code
_MARK = "\0"  # in place of a spot with several readings
_INVISIBLE = "\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_BLANK = rf"(?:=?\r?\n[ \t>|]*|[\s\0-\x1f\x7f{_INVISIBLE}])+"  # also the marks of a quoted mail's lines
_STARS = r"(?<=0503)(?:\\?\*)*(?=[0-9])"  # of the txid ***, which messengers take for bold type
_SPOT = re.compile(f"{_BLANK}|{_STARS}")
_BEFORE_PHONE = re.compile("01(?:0[0-9]|1[0-7])")
_START = re.compile("\0?".join("000201"))
_URI = re.compile(r"\A[a-z][a-z0-9+.-]*:\S*[?&#][\w.-]+=\Z", re.IGNORECASE)
_ENTITY = r"&(?:#[0-9]+|#x[0-9a-f]+|[a-z]+);"
_SPACE = " espacos"  # the reason of a single blank that is left out, of which few are tried


class _Read(NamedTuple):
    """What a text was up to ``end``, the reasons of its changes, and how many blanks are still to go."""

    text: str
    end: int
    reasons: frozenset[str]
    spaces: int

    def with_reason(self, reason: str) -> "_Read":
        """Return this with another reason, unless that is empty."""
        return self._replace(reasons=self.reasons | {reason}) if reason else self


def has_own_checksum(text: str) -> bool:
    """Return whether a text ends in object 63 with its right checksum, in any case."""
    return text[-8:-4] == f"{CRC}04" and text[-4:].upper() == checksum(text[:-4].encode("utf-8", "replace"))


def suggest_repair(text: str) -> Suggestion | None:
    """Return the one code that a text was, with the reasons of the repair in the order of ``REASONS``.

    ``None`` where no repair gives a code whose checksum fits, or several give different ones, and for a text
    that ends in its own right checksum: such a code is never changed.
    """
    if has_own_checksum(text):
        return None
    found: dict[str, frozenset[str]] = {}
    readers = [_Reader(variant, reasons) for variant, reasons in _variants(text)]
    for spaces in range(_MOST_SPACES + 1):
        for reader in readers:
            for code in reader.codes(spaces):
                if len(code.reasons) < len(found.get(code.text, REASONS)):
                    found[code.text] = code.reasons
        if found:
            break
    if len(found) != 1 or not all(reader.steps for reader in readers):
        return None
    ((payload, changes),) = found.items()
    return Suggestion(payload, tuple(reason for reason in REASONS if reason in changes))


def _variants(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield a text, and what it encodes as part of a URI, of a form or of a page, where it does."""
    yield text, frozenset()
    percent = re.sub("(?:%[0-9A-Fa-f]{2})+", _unquote, text)
    form = re.sub("(?:%[0-9A-Fa-f]{2})+", _unquote, text.replace("+", " "))
    page = re.sub(_ENTITY, _unescape, text, flags=re.IGNORECASE)
    for other in dict.fromkeys((percent, form, page)):
        if other != text:
            yield other, frozenset(("codificacao",))


def _unquote(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace")


def _unescape(match: re.Match[str]) -> str:
    from html import unescape  # its table of names takes a millisecond

    return unescape(match[0])


class _Reader:
    """Readings of one text. ``steps``: how many more pieces are read before it gives up."""

    def __init__(self, text: str, reasons: frozenset[str]) -> None:
        self.steps = _MOST_STEPS
        self._reasons = reasons
        self._spots: dict[int, dict[str, str]] = {}
        """By position in ``_plain``: each reading, and the reason where it changes the text."""

        self._plain, before = "", 0
        for match in _SPOT.finditer(text):
            self._plain += text[before : match.start()]
            self._spots[len(self._plain)] = _readings(match[0], self._plain)
            self._plain += _MARK
            before = match.end()
        self._plain += text[before:]

    def codes(self, spaces: int) -> Iterator[_Read]:
        """Yield the codes with their own checksum that begin anywhere, without ``spaces`` single blanks."""
        if PIX_GUI not in self._plain.replace(_MARK, "").lower():
            return
        for start in _START.finditer(self._plain):
            if not self.steps:
                return
            before = self._plain[: start.start()]
            around = "codificacao" if _URI.match(before) else "texto_em_volta"
            for code in self._objects(_Read("", start.start(), self._reasons, spaces)):
                after = self._plain[code.end :]
                if PIX_GUI in code.text.lower():  # of several codes, each has to
                    yield code.with_reason(around if before or after else "")

    def _objects(self, done: _Read) -> Iterator[_Read]:
        """Yield the codes that begin as ``done``."""
        for head in self._take(done, 4) if len(done.text) < _LONGEST else ():
            tag, size = head.text[-4:-2], LENGTHS.get(head.text[-2:])
            if tag == CRC and size is not None:
                yield from self._checksum(head, size)
            elif tag in LENGTHS and size is not None:
                for value in self._take(head, size):
                    yield from self._objects(value)

    def _checksum(self, head: _Read, size: int) -> Iterator[_Read]:
        """Yield the code if the checksum behind its last object's head fits, but for zeros in front."""
        covered = f"{head.text[:-2]}04"
        right = checksum(covered.encode("utf-8", "replace"))
        for code in self._take(head, 4) if size == 4 else ():
            if code.text[-4:].upper() == right and not code.spaces:
                yield code
        rest = self._plain[head.end :]
        if 1 <= len(rest) <= 3 and rest.upper().zfill(4) == right and not head.spaces:
            yield head._replace(text=covered + rest.zfill(4), end=len(self._plain)).with_reason("crc")

    def _take(self, done: _Read, size: int) -> Iterator[_Read]:
        """Yield what ``done`` becomes with the next ``size`` characters."""
        if not self.steps:
            return
        self.steps -= 1
        at = done.end
        spot = self._plain.find(_MARK, at, at + size)
        if spot < 0:
            if at + size <= len(self._plain):
                yield done._replace(text=done.text + self._plain[at : at + size], end=at + size)
            return
        size -= spot - at
        for reading, reason in self._spots[spot].items():
            spaces = done.spaces - (reason == _SPACE)
            if spaces >= 0 and len(reading) <= size:
                text = done.text + self._plain[at:spot] + reading
                more = _Read(text, spot + 1, done.reasons, spaces).with_reason(reason.strip())
                yield from self._take(more, size - len(reading))


def _readings(found: str, before: str) -> dict[str, str]:
    """Return what a spot may have been behind ``before``, each with its reason, empty for what is there."""
    if "*" in found or not found:
        return {found: ""} | ({"***": "asteriscos"} if found != "***" else {})
    plus = {"+": "mais"} if _BEFORE_PHONE.fullmatch(before[-4:]) else {}
    if re.search(rf"[\0-\x1f\x7f{_INVISIBLE}]", found):
        is_space = re.sub(f"[{_INVISIBLE}]", "", found) != ""
        return {"": "espacos"} | ({" ": "espacos"} if is_space else {}) | plus
    as_is = {found: ""} if found.isascii() else {}
    return as_is | ({" ": "espacos"} if found != " " else {}) | {"": _SPACE} | plus
