"""The marks of a number as programs and people write them."""

__all__ = ["plain_marks"]

_MARKS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)


def plain_marks(text: str) -> str:
    """Return a text with every dash as ``-``, runs of white space as one blank, and no invisible marks.

    >>> plain_marks(" 00.000.000 / 0001\u201391 ")
    '00.000.000 / 0001-91'
    """
    return " ".join(text.translate(_MARKS).split())
