"""Texts as they are compared: what a person would read as the same is the same."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

_MONTHS = (
    "janeiro", "fevereiro", "março", "abril", "maio", "junho",
    "julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
)  # fmt: skip


def fold(text: str) -> str:
    """Return a text without accents, emphasis, capitals, needless space and kinds of hyphens.

    >>> fold("A **Padaria  São João**, 0001‑81")
    'a padaria sao joao, 0001-81'
    """
    letters = (each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    plain = re.sub(r"[\u2010-\u2015\u2212]", "-", "".join(letters))
    return " ".join(re.sub(r"[*_`]", "", plain).lower().split())


def says(text: str, phrase: str) -> bool:
    """Return whether a text has a phrase as whole words and numbers.

    >>> says("Cobrei R$ 49,90.", "49,90"), says("Cobrei R$ 1.149,90.", "149,90")
    (True, False)
    """
    return _pattern(phrase).search(fold(text)) is not None


def without(text: str, phrase: str) -> str:
    """Return the folded text without a phrase."""
    return _pattern(phrase).sub("", fold(text))


def _pattern(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(fold(phrase))}(?!\w)(?![.,]\d)")


def dates(iso: str) -> tuple[str, ...]:
    """Return the forms in which an answer may have a day.

    >>> dates("2026-10-09")
    ('2026-10-09', '09/10/2026', '9/10/2026', '09 de outubro de 2026', '9 de outubro de 2026')
    """
    day = date.fromisoformat(iso)
    in_words = f"de {_MONTHS[day.month - 1]} de {day.year}"
    several = (
        iso,
        f"{day:%d/%m/%Y}",
        f"{day.day}/{day:%m/%Y}",
        f"{day:%d} {in_words}",
        f"{day.day} {in_words}",
    )
    return tuple(dict.fromkeys(several))
