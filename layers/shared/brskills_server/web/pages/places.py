"""Where a page is in each language: Portuguese at ``/x``, English at ``/en/x``."""

from typing import Any

LANGUAGES = {"pt": "pt-BR", "en": "en"}


def parted(path: str) -> tuple[str, str]:
    """Return the language of a path below the base, and the path in Portuguese.

    >>> parted("/en/docs"), parted("/en"), parted("/english")
    (('en', '/docs'), ('en', '/'), ('pt', '/english'))
    """
    return ("en", path[3:] or "/") if f"{path}/".startswith("/en/") else ("pt", path)


def place(own: str, language: str) -> str:
    """Return the path of a page in a language; ``own`` is its path in Portuguese."""
    return own if language == "pt" else f"/en{own}".removesuffix("/")


def links(own: str, language: str) -> dict[str, Any]:
    """Return what templates need of a page's place: ``root``, the way to the base, and the languages."""
    root = "../" * (place(own, language).count("/") - 1)
    there = {name: root + place(own, name)[1:] or "./" for name in LANGUAGES}
    return {
        "root": root,
        "alternates": {tag: there[name] for name, tag in LANGUAGES.items()},
        "other_href": there["pt" if language == "en" else "en"],
    }
