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
from brcode.tlv import CRC, GUI, LENGTHS, PIX_GUI, TEMPLATES, parse

REASONS = {
    "codificacao": "encoded_text",
    "texto_em_volta": "text_around",
    "espacos": "white_space_inside",
    "mais": "plus_lost",
    "asteriscos": "asterisks_lost",
    "crc": "crc_zero_lost",
}
"""The reasons of a repair, in their order, and the rule that names each damage."""

_MOST_STEPS = 1_000  # pieces read in all ways together: a text without damage needs some twenty
_MOST_SPACES = 6  # blanks of a line of text that wrapping put in
_LONGEST = 512  # characters of a code
_MARK = "\0"  # in place of a spot with several readings
_INVISIBLE = "\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
_BLANK = rf"(?:=?\r?\n[ \t>|]*|[\s\0-\x1f\x7f{_INVISIBLE}]|<w?br ?/?>)+"  # > and | begin quoted lines
_STARS = r"(?<=0503)(?:\\?[*•])*(?=[0-9])"  # of the txid ***, which messengers take for bold type
_SPOT = re.compile(f"{_BLANK}|{_STARS}")
_BEFORE_PHONE = re.compile("01(?:0[0-9]|1[0-7])")
_START = re.compile("\0?".join("000201"))
_URI = re.compile(r"\A[a-z][a-z0-9+.-]*:[^\s\0]*[?&#][\w.-]+=\Z", re.IGNORECASE)
_PERCENT = r"(?:%[0-9A-Fa-f]{2})+"
_ENTITY = r"&(?:#[0-9]+|#[xX][0-9A-Fa-f]+|[A-Za-z]+);"
_ESCAPE = r"\\(u[0-9A-Fa-f]{4}|[nrt]|[^\sA-Za-z0-9])"  # of JSON and of Markdown
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
_REQUIRED = {"53", "58", "59"}  # without which a text is no code, however its checksum fits
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

    ``None`` where no repair gives a code whose checksum fits, several give different ones, or the text has
    another code; and for a text that ends in its own right checksum: such a code is never changed.
    """
    if has_own_checksum(text):
        return None
    found: dict[str, frozenset[str]] = {}
    steps = iter(range(_MOST_STEPS))
    readers = [_Reader(variant, reasons, steps) for variant, reasons in _variants(text)]
    for spaces in range(1 + max(reader.blanks for reader in readers)):
        for reader in readers:
            for code in reader.codes(spaces):
                if len(code.reasons) < len(found.get(code.text, REASONS)):
                    found[code.text] = code.reasons
        if found:
            break
    if len(found) != 1:
        return None
    ((payload, changes),) = found.items()
    if any(reader.has_another(payload) for reader in readers):
        return None
    return Suggestion(payload, tuple(reason for reason in REASONS if reason in changes))


def _variants(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield a text, and what it encodes as part of a URI, of a form, of a page or of JSON, where it does."""
    yield text, frozenset()
    percent = re.sub(_PERCENT, _unquote, text)
    form = re.sub(_PERCENT, _unquote, text.replace("+", " "))
    again = re.sub(_PERCENT, _unquote, percent)
    page = re.sub(_ENTITY, _unescape, text)
    json = re.sub(_ESCAPE, _unslash, text)
    for other in dict.fromkeys((percent, form, again, page, json)):
        if other != text:
            yield other, frozenset(("codificacao",))


def _unquote(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace")


def _unescape(match: re.Match[str]) -> str:
    from html import unescape  # its table of names takes a millisecond

    return unescape(match[0])


def _unslash(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped[1:], 16)) if len(escaped) > 1 else _CONTROLS.get(escaped, escaped)


class _Reader:
    """Readings of one text. ``steps``: one for each piece that may be read before it gives up."""

    def __init__(self, text: str, reasons: frozenset[str], steps: Iterator[int]) -> None:
        self._reasons, self._steps = reasons, steps
        self._spots: dict[int, dict[str, str]] = {}
        """By position in ``_plain``: each reading, and the reason where it changes the text."""

        self._plain, before = "", 0
        for match in _SPOT.finditer(text):
            self._plain += text[before : match.start()]
            self._spots[len(self._plain)] = _readings(match[0], self._plain)
            self._plain += _MARK
            before = match.end()
        self._plain += text[before:]
        self._letters = self._plain.replace(_MARK, "").lower()
        self._found: list[tuple[int, int, str]] = []
        self.blanks = min(_MOST_SPACES, sum(_SPACE in spot.values() for spot in self._spots.values()))
        """How many single blanks it may be read without."""

    def has_another(self, payload: str) -> bool:
        """Return whether ``payload`` was found in this text, which has another Pix code apart from it."""
        rest = self._plain
        for start, end, text in self._found:
            if text == payload:
                rest = rest.replace(self._plain[start:end], "")
        return bool(self._found) and PIX_GUI in rest.replace(_MARK, "").lower()

    def codes(self, spaces: int) -> Iterator[_Read]:
        """Yield the codes with their own checksum that begin anywhere, without ``spaces`` single blanks."""
        for start in _START.finditer(self._plain) if PIX_GUI in self._letters else ():
            before = self._plain[: start.start()]
            around = "codificacao" if _URI.match(before) else "texto_em_volta"
            for code in self._objects(_Read("", start.start(), self._reasons, spaces)):
                if _is_whole(code.text):
                    self._found.append((start.start(), code.end, code.text))
                    yield code.with_reason(around if before or self._plain[code.end :] else "")

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
        if next(self._steps, None) is None:
            return
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


def _is_whole(code: str) -> bool:
    """Return whether a code has what every Pix code has, and templates that can be read."""
    root, issues = parse(code)
    templates = [parse(root[tag]) for tag in root if tag in TEMPLATES]
    return (
        not issues
        and not any(found for _, found in templates)
        and root.keys() >= _REQUIRED
        and any(objects.get(GUI, "").lower() == PIX_GUI for objects, _ in templates)
    )


def _readings(found: str, before: str) -> dict[str, str]:
    """Return what a spot may have been behind ``before``, each with its reason, empty for what is there."""
    if not found or found[-1] in "*•":
        return {found: ""} | ({"***": "asteriscos"} if found != "***" else {})
    plus = {"+": "mais"} if _BEFORE_PHONE.fullmatch(before[-4:]) else {}
    if re.search(rf"[\0-\x1f\x7f<{_INVISIBLE}]", found):
        is_space = re.sub(f"[{_INVISIBLE}]", "", found) != ""
        return {"": "espacos"} | ({" ": "espacos"} if is_space else {}) | plus
    as_is = {found: ""} if found.isascii() else {}
    return as_is | ({" ": "espacos"} if found != " " else {}) | {"": _SPACE} | plus
