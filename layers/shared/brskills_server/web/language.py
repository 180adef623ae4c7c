"""Which of our two languages a caller prefers (RFC 9110 §12.5.4)."""

import re

__all__ = ["LANGUAGES", "preferred"]

LANGUAGES = ("pt", "en")

_RANGE = re.compile(
    r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?(?:\s*;\s*[Qq]\s*=\s*([01](?:\.[0-9]{0,3})?))?\s*\Z"
)


def preferred(accept_language: str) -> str:
    """Portuguese unless English is asked for with a higher weight, or first at the same weight.

    >>> preferred("en-US,en;q=0.9"), preferred("pt-BR,en;q=0.8"), preferred("fr"), preferred("fr, en;q=0.2")
    ('en', 'pt', 'pt', 'en')
    """
    best, weight = LANGUAGES[0], 0.0
    for part in accept_language[:500].split(","):
        match = _RANGE.match(part)
        language = match and match[1].lower()
        if match and language in LANGUAGES and (quality := float(match[2] or 1)) > weight:
            best, weight = str(language), quality
    return best
