"""Removing a mask, complete or partial, from a number.

>>> unmask("529982247-25", "###.###.###-##"), unmask("529.982.24725", "###.###.###-##")
('52998224725', '52998224725')
"""

__all__ = ["unmask"]


def unmask(text: str, mask: str) -> str:
    """Return ``text`` without the marks of ``mask`` in their places; unchanged where it does not fit.

    ``#`` is any character of the number; the caller checks its form.
    """
    kept, at = "", 0
    for mark in mask:
        if mark == "#":
            kept += text[at : at + 1]
            at += 1
        elif text[at : at + 1] == mark:
            at += 1
    return kept if at == len(text) else text
