"""Reading the list as the central bank publishes it: a PDF, whose cells are known by where their words are.

Rows are numbered, and each cell is centred on the line of its row's number. Source: the reader of the PDFs of
August 2026 in BrasilAPI/BrasilAPI (scripts/generate-pix-participants-snapshot.js).
"""

import re
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

import pypdfium2
from pypdfium2.raw import FPDFText_GetUnicode

_EDGE = 14
"""Points from a page's first and last number: a name of four lines has 12, the column titles 16."""

_LEVEL = 3
"""Points by which words of one line may differ."""

_NUMBERS = 12
"""Points within which numbers of rows begin, whatever their alignment."""

_MODE = re.compile("Provedor|Conta|Transacional|Iniciador|Liquidante|Especial|Ente|Governamental")
_SECOND_TABLE = "adesão"


class Word(NamedTuple):
    """A word and where it begins: points from the left and from the top of the page as it is shown."""

    x: float
    y: float
    text: str


def read_pdf_rows(content: bytes) -> Iterator[tuple[int, str, str, str]]:
    """Yield number, name, ISPB and mode of each row of the first table. Raise ``ValueError``."""
    pages = list(_first_table(_pages(content)))
    words = [word for page in pages for word in page]
    ispb = median([word.x for word in words if re.fullmatch("[0-9]{8}", word.text)] or [0.0])
    modes = [word.x for word in words if word.x > ispb and _MODE.fullmatch(word.text)]
    counted = [word.x for word in words if word.x < ispb and _is_number(word)]
    if not (modes and counted):
        raise ValueError("the PDF has no table of participants")
    first, listed = min(counted), 0
    for page in pages:
        numbers = [word for word in page if _is_number(word) and word.x <= first + _NUMBERS]
        if not numbers:
            continue
        top, bottom = numbers[0].y - _EDGE, numbers[-1].y + _EDGE
        rows = [word for word in page if top <= word.y <= bottom and word not in numbers]
        names = _cells([word for word in rows if word.x < ispb - _LEVEL], numbers)
        kinds = _cells([word for word in rows if min(modes) <= word.x <= max(modes)], numbers)
        for number, name, kind in zip(numbers, names, kinds, strict=True):
            listed += 1
            if int(number.text) != listed:
                raise ValueError(f"expected row {listed}, found {number.text}")
            level = [each for each in rows if abs(each.y - number.y) <= _LEVEL]
            yield listed, name, "".join(each.text for each in level if abs(each.x - ispb) <= _LEVEL), kind


def _is_number(word: Word) -> bool:
    return re.fullmatch("[0-9]{1,4}", word.text) is not None


def _cells(words: list[Word], numbers: list[Word]) -> Iterator[str]:
    """Yield a column's text for each number: the words that lie as far below it as above it."""
    for number in numbers:
        end = 2 * number.y - words[0].y if words else 0.0
        cell = [word for word in words if word.y <= end + _LEVEL]
        words = [word for word in words if word.y > end + _LEVEL]
        if not cell or abs(cell[-1].y - end) > _LEVEL:
            raise ValueError(f"row {number.text}: expected cells that are centred on its number")
        yield re.sub("(?<=[^ ]-) ", "", " ".join(word.text for word in cell))


def _first_table(pages: Iterator[list[Word]]) -> Iterator[list[Word]]:
    """Yield the words of pages, in lines, up to the title of the second table."""
    for number, page in enumerate(pages):
        words = _in_lines(page)
        begins = [word.y for word in words if word.text == _SECOND_TABLE and (number or word.y > words[0].y)]
        yield [word for word in words if not begins or word.y < begins[0] - _LEVEL]
        if begins:
            return


def _in_lines(words: list[Word]) -> list[Word]:
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.y):
        if lines and word.y - lines[-1][0].y <= _LEVEL:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [word for line in lines for word in sorted(line)]


def _pages(content: bytes) -> Iterator[list[Word]]:
    try:
        with pypdfium2.PdfDocument(content) as document:
            for page in document:
                yield list(_words(page))
    except pypdfium2.PdfiumError as error:
        raise ValueError("the PDF cannot be read") from error


def _words(page: pypdfium2.PdfPage) -> Iterator[Word]:
    text, is_turned = page.get_textpage(), page.get_rotation() == 90
    word: Word | None = None
    for place in range(text.count_chars()):
        letter = chr(FPDFText_GetUnicode(text, place)).replace("\x02", "-")  # a hyphen that ends a line
        left, low, _, _ = text.get_charbox(place, loose=True)
        begun = Word(low, left, letter) if is_turned else Word(left, -low, letter)
        if word and (letter.isspace() or abs(begun.y - word.y) > _LEVEL):
            yield word
            word = None
        if not letter.isspace():
            word = word._replace(text=word.text + letter) if word else begun
    if word:
        yield word
