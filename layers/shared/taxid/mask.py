"""Taking a mask off a number, all of it or what there is of it.

>>> unmask("529982247-25", "###.###.###-##"), unmask("529.982.24725", "###.###.###-##")
('52998224725', '52998224725')
"""

__all__ = ["unmask"]


def unmask(text: str, mask: str) -> str:
    """``text`` less the marks of ``mask`` that stand in their places; as it is where it does not fit.

    ``#`` stands for a character of the number, which its own form has to judge.
    """
    kept, at = "", 0
    for mark in mask:
        if mark == "#":
            kept += text[at : at + 1]
            at += 1
        elif text[at : at + 1] == mark:
            at += 1
    return kept if at == len(text) else text
