"""Of the page's styles a card has its own, in colours for both schemes."""

from pathlib import Path

import pytest

from cards.styles import styles

SHEET = """/* a { comment } */
:root {
  --ink: #111;
  --mono: monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ink: #eee;
  }
}

*, ::before { margin: 0; }
p { color: var(--ink); }
.used, .unused { padding: 0; }
.used:not(.unused) > p { top: 0; }
.used[data-kind="good"]:focus-visible { left: 0; }
.unused p { right: 0; }
dl > div {
  bottom: 0;
}

@media (min-width: 1rem) {
  p { color: red; }
}
"""


@pytest.fixture
def made(tmp_path: Path) -> list[str]:
    (tmp_path / "page.css").write_text(SHEET, "utf-8")
    return styles([tmp_path / "page.css"], {"p", "used", "dl", "div"}).splitlines()


def test_rules_of_what_a_card_has_are_kept(made: list[str]) -> None:
    for rule in (
        "*, ::before { margin: 0; }",
        "p { color: var(--ink); }",
        ".used { padding: 0; }",
        '.used[data-kind="good"]:focus-visible { left: 0; }',
        "dl > div {",
    ):
        assert rule in made
    assert "bottom: 0" in "".join(made)


def test_others_are_left_out(made: list[str]) -> None:
    assert not {"unused", "@media", "red", "comment"} & set(" ".join(made).replace(".", " ").split())


def test_each_colour_has_its_form_in_the_dark(made: list[str]) -> None:
    assert made[:5] == [
        ":root {",
        "  color-scheme: light dark;",
        "  --ink: light-dark(#111, #eee);",
        "  --mono: monospace;",
        "}",
    ]
