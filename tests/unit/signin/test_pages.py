"""The page's texts: the same in both languages, each used, none missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.meta import find_undeclared_variables

from brskills_server.skills.catalogue import SCOPES
from functions.oauth import app

FOLDER = Path(app.__file__).parent / "page"
TEXTS = {language: json.loads((FOLDER / f"{language}.json").read_text("utf-8")) for language in ("pt", "en")}
CHOSEN = ("scope_", "destination_", "fault_", "message_")


def test_both_languages_have_the_same_texts() -> None:
    assert list(TEXTS["pt"]) == list(TEXTS["en"])
    assert all(text.strip() for texts in TEXTS.values() for text in texts.values())


def test_every_text_is_used() -> None:
    named = set().union(
        *(
            find_undeclared_variables(Environment().parse(path.read_text("utf-8")))  # noqa: S701, nothing is rendered
            for path in FOLDER.glob("*.html")
        )
    )
    assert {name for name in TEXTS["pt"] if not name.startswith(CHOSEN)} <= named
    assert {name.removeprefix("scope_") for name in TEXTS["pt"] if name.startswith("scope_")} == set(SCOPES)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_is_told_apart_from_what_it_stands_on(scheme: int) -> None:
    style = (FOLDER / "page.css").read_text("utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#\w+)", style.split("prefers-color-scheme")[scheme]))
    pairs = [
        *((text, paper) for text in ("ink", "muted", "accent") for paper in ("paper", "card")),
        ("on-accent", "accent"),
        ("on-accent", "accent-strong"),
        ("bad", "bad-paper"),
        ("warned", "warned-paper"),
    ]
    for text, paper in pairs:
        lighter, darker = sorted((_luminance(colours[text]), _luminance(colours[paper])), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (text, paper)
