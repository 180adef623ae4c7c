"""Reading the list as the central bank publishes it: a PDF, or a CSV with ``;`` in Windows-1252.

A title, column names and the active participants come first; a second table, of institutions in adhesion, may
follow in the same file. Nothing of a file is taken if any part of its first table has an unexpected form.
"""

import csv
import re
from collections.abc import Iterator

from brskills_server.participants.participant_list import Participant

ENCODING = "windows-1252"
TITLE = "participantes ativos do pix"
NAME, ISPB, MODE = "nomereduzido", "ispb", "modalidadedeparticipaçãonopix"
MODES = {"Provedor de Conta Transacional", "Iniciador", "Liquidante Especial", "Ente Governamental"}
WITHOUT_ISPB = "Iniciador"
FEWEST = 700
"""The list had 898 participants in August 2026: a shorter one is a part of a list."""
_ISPB = re.compile(r"[0-9A-Z]{8}")


class UnexpectedForm(ValueError):
    """The file is not the published list; the message names the line and what was expected."""


def read_published_list(content: bytes) -> list[Participant]:
    """Return the active participants in the order of the file. Raise ``UnexpectedForm``."""
    participants = _read_pdf(content) if content.startswith(b"%PDF-") else _read_csv(content)
    _check_whole(participants)
    return participants


def _read_pdf(content: bytes) -> list[Participant]:
    from package.participants.published_pdf import read_pdf_rows  # imports what the server lacks

    return [
        _participant(number, {NAME: name, ISPB: ispb, MODE: mode})
        for number, name, ispb, mode in read_pdf_rows(content)
    ]


def _read_csv(content: bytes) -> list[Participant]:
    lines = _lines(content)
    number, title = next(lines, (1, []))
    if TITLE not in "".join(title).lower():
        raise UnexpectedForm(f'line {number}: expected the title "Lista de {TITLE}"')
    number, header = next(lines, (number + 1, []))
    columns = ["".join(name.lower().split()) for name in header]
    if missing := {NAME, ISPB, MODE} - set(columns):
        raise UnexpectedForm(f"line {number}: columns are missing: {', '.join(sorted(missing))}")
    participants: list[Participant] = []
    for number, cells in lines:
        if _ends(cells):
            break
        participants.append(_participant(number, _row(number, columns, cells)))
    # A line that is empty by mistake must not end the list: titles may follow, but no participant.
    number, following = next(((place, cells) for place, cells in lines if cells), (number, []))
    if len(following) > 1 and _ISPB.fullmatch(dict(zip(columns, following, strict=False)).get(ISPB, "")):
        raise UnexpectedForm(f"line {number}: a participant after the end of the table")
    return participants


def _ends(cells: list[str]) -> bool:
    """Return whether a line is empty, or the title of the second table."""
    return len(list(filter(None, cells))) < 2


def _row(number: int, columns: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) != len(columns):
        raise UnexpectedForm(f"line {number}: expected {len(columns)} cells, found {len(cells)}")
    return dict(zip(columns, cells, strict=True))


def _lines(content: bytes) -> Iterator[tuple[int, list[str]]]:
    try:
        text = content.decode(ENCODING)
    except UnicodeDecodeError as error:
        raise UnexpectedForm(f"byte {error.start} is not {ENCODING}") from error
    for number, cells in enumerate(csv.reader(text.splitlines(), delimiter=";"), start=1):
        yield number, [] if not any(map(str.strip, cells)) else [cell.strip() for cell in cells]


def _participant(number: int, cells: dict[str, str]) -> Participant:
    name, ispb, mode = cells[NAME], cells[ISPB], cells[MODE]
    if not name:
        raise UnexpectedForm(f"line {number}: the name is empty")
    if mode not in MODES:
        raise UnexpectedForm(f"line {number}: expected one of {', '.join(sorted(MODES))}, found {mode!r}")
    # An empty ISPB stays empty: filled up with zeros it would be that of Banco do Brasil.
    if not _ISPB.fullmatch(ispb) and (ispb or mode != WITHOUT_ISPB):
        raise UnexpectedForm(f"line {number}: expected an ISPB of eight characters, found {ispb!r}")
    return Participant(ispb or None, name, mode)


def _check_whole(participants: list[Participant]) -> None:
    if len(participants) < FEWEST:
        raise UnexpectedForm(f"expected at least {FEWEST} participants, found {len(participants)}")
    numbers = [each.ispb for each in participants if each.ispb]
    if repeated := sorted({ispb for ispb in numbers if numbers.count(ispb) > 1}):
        raise UnexpectedForm(f"an ISPB is there twice: {', '.join(repeated)}")
