"""Each card is one document that loads nothing and runs nothing but its own script."""

import base64
import hashlib
import json
import re

from cards.__main__ import CARDS, HERE, card, make
from tests.for_each import for_each

DOCUMENTS = {name: card(name, title) for name, title in CARDS.items()}
MOST_BYTES = 40_000


def part(document: str, tag: str) -> str:
    (found,) = re.findall(rf"<{tag}>(.*?)</{tag}>", document, re.DOTALL)
    return str(found)


@for_each("name", DOCUMENTS)
def test_its_policy_allows_its_script_and_its_style_alone(name: str) -> None:
    document = DOCUMENTS[name]
    policy = dict(
        rule.split(" ", 1) for rule in re.findall(r'content="(default-src[^"]*)"', document)[0].split("; ")
    )
    for directive, tag in (("script-src", "script"), ("style-src", "style")):
        digest = base64.b64encode(hashlib.sha256(part(document, tag).encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    assert policy["default-src"] == "'none'"
    assert "img-src" not in policy


@for_each("name", DOCUMENTS)
def test_it_names_no_address_and_is_short(name: str) -> None:
    document = DOCUMENTS[name]
    assert not re.search(r"https?:|@import|url\(|<link|<a\b|\bfetch\(|innerHTML|insertAdjacent", document)
    assert len(document.encode()) < MOST_BYTES


@for_each("name", DOCUMENTS)
def test_both_languages_have_every_text_that_it_shows(name: str) -> None:
    script = part(DOCUMENTS[name], "script")
    texts = json.loads(re.findall(r'\.start\("[\w-]+", (\{.*?\}\}), \(\) =>', script)[0])
    assert texts["pt"].keys() == texts["en"].keys()
    assert (texts["pt"]["language"], texts["en"]["language"]) == ("pt-BR", "en")
    assert set(re.findall(r'\btext\("(\w+)"', script)) <= texts["pt"].keys()
    for portuguese, english in zip(texts["pt"].values(), texts["en"].values(), strict=True):
        assert re.findall(r"\{\w+\}", portuguese) == re.findall(r"\{\w+\}", english)


def test_the_texts_of_cards_are_in_both_languages_and_used() -> None:
    portuguese, english = re.findall(
        r"^const (?:PT|EN) = \{(.*?)^\};",
        (HERE / "scripts/card-texts.js").read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    names = re.findall(r"^  (\w+): ", portuguese, re.MULTILINE)
    assert names == re.findall(r"^  (\w+): ", english, re.MULTILINE)
    scripts = "".join(
        path.read_text("utf-8") for path in (HERE / "scripts").glob("*.js") if "texts" not in path.name
    )
    asked = set(re.findall(r'\bword\("(\w+)"', scripts)) | set(
        re.findall(r"(\w+): \"(?:good|warned|bad)\"", scripts)
    )
    assert asked | {"unchecked"} == set(names)


def test_made_again_they_are_the_same(tmp_path) -> None:
    for _ in range(2):
        make(tmp_path / "made")
        found = {path.stem: path.read_text("utf-8") for path in (tmp_path / "made").iterdir()}
        assert found == DOCUMENTS
