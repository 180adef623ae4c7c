"""The document in English: the same in all but its texts, and of these every one, whatever is offered."""

import json
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from brskills_server.runtime.settings import Settings
from brskills_server.skills import tool_formats
from brskills_server.skills.catalogue import TOOL_BATCHES
from brskills_server.skills.tool_formats import tools_as
from brskills_server.web import translation
from brskills_server.web.openapi import document as module
from brskills_server.web.openapi.document import document
from brskills_server.web.problem_table import PROBLEMS
from tests.fakes.odd_skills import odd
from tests.unit.site.messages import page_messages

CATALOGUE: dict[str, str] = json.loads(Path(translation.__file__).with_name("english.json").read_text())
BASE = "https://api.example.com/v1"
CHOICES = (
    {"SIGNUPS_PER_DAY": "0"},
    {"DEMO_MONTHLY_LIMIT": "0"},
    {"STRIPE_PRICE_PRO": "price_x"},
    {"CONTACT_EMAIL": "ajuda@brskills.example"},
    {"SUPPORT_URL": "https://brskills.example/ajuda"},
    {"SLA_URL": "https://brskills.example/sla"},
)
"""Each decides one member of ``Features``."""
OFFERED = [
    Settings.from_environment(chosen)
    for chosen in ({}, *CHOICES, {k: v for c in CHOICES for k, v in c.items()})
]
OWN = odd("look_up_x", lambda *_: None)
OWN_TEXTS = {*astuple(OWN.texts), OWN.result.__doc__}
ENGLISH_TITLES = {kind.texts["en"].title for kind in PROBLEMS.values()}
OUR_WORDS = {"title", "detail", "description", "summary"}
"""Members that are texts for people, those of problems among them."""


class Asked(dict[str, str]):
    """The catalogue, which remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(CATALOGUE)
        self.texts: set[str] = set()

    def get(self, text: str, default: Any = None) -> Any:
        self.texts.add(text)
        return super().get(text, default)


def is_list_of_codes(text: str) -> bool:
    return set(text.split(", ")) <= PROBLEMS.keys()


def without_texts(part: Any) -> Any:
    """The document's part with nothing in it that is for people."""
    if isinstance(part, list):
        return [without_texts(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        name: None
        if name == "tags" or (name in OUR_WORDS and isinstance(value, str))
        else without_texts(value)
        for name, value in part.items()
    }


def test_every_text_has_its_english_one_and_no_other_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked()
    monkeypatch.setattr(module, "_made", module._made.__wrapped__)
    monkeypatch.setattr(translation, "english", lambda: asked)
    tool_formats._standard_tools.cache_clear()
    for settings in OFFERED:
        document(BASE, settings, [OWN], "en")
    tools_as("mcp", TOOL_BATCHES.values(), "en")
    needed = {text for text in asked.texts if not is_list_of_codes(text)} - ENGLISH_TITLES - OWN_TEXTS
    assert needed <= CATALOGUE.keys()
    assert CATALOGUE.keys() == needed | page_messages()


def test_it_is_the_same_but_for_texts() -> None:
    for settings in (OFFERED[0], OFFERED[-1]):
        portuguese, english = (document(BASE, settings, [OWN], language) for language in ("pt", "en"))
        assert without_texts(english) == without_texts(portuguese)


def test_it_is_valid_and_filled_in() -> None:
    for settings in OFFERED:
        english = document(BASE, settings, [OWN], "en")
        assert "{{" not in json.dumps(english)
    OpenAPIV31SpecValidator(english).validate()


def test_its_tags_are_english_and_those_of_its_operations() -> None:
    portuguese, english = (document(BASE, OFFERED[0], [OWN], language) for language in ("pt", "en"))
    names = [tag["name"] for tag in english["tags"]]
    assert names == ["Pix", "CNPJ", "Account", "Billing", "Service", "Agents", "Custom"]
    said = {tag["name"]: name for tag, name in zip(portuguese["tags"], names, strict=True)}
    for path, methods in portuguese["paths"].items():
        for method, operation in methods.items():
            assert english["paths"][path][method]["tags"] == [said[tag] for tag in operation["tags"]]


def test_the_texts_of_a_custom_skill_stay_as_they_are() -> None:
    made = document(BASE, OFFERED[0], [OWN], "en")
    operation = made["paths"]["/api/v1/skills/custom/look_up_x"]["post"]
    assert (operation["summary"], operation["tags"]) == ("Título", ["Custom"])
    assert operation["description"] == "Faz. Nada."
    assert made["components"]["schemas"]["look_up_x.Asked"]["description"] == "O que se pergunta."
