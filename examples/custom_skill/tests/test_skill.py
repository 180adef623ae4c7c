"""Run with brskills installed, and this package: ``python -m pytest``."""

from importlib.metadata import entry_points
from typing import Any

import pytest
from bank_codes.skill import LOOK_UP_BANK, Bank

from brskills_server.skills.custom_rules import faults_of
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.skill import Call

CALL = Call(None, "pt", None)


def ask(content: dict[str, Any]) -> Bank:
    return LOOK_UP_BANK.answer(LOOK_UP_BANK.prepare(content), CALL)


def test_the_declaration_is_valid() -> None:
    assert list(faults_of("look_up_bank", LOOK_UP_BANK)) == []


def test_the_installed_package_declares_it() -> None:
    (entry,) = entry_points(group="brskills.skills", name="look_up_bank")
    assert entry.load() is LOOK_UP_BANK


@pytest.mark.parametrize("code", ["001", "00000000"])
def test_a_bank_has_two_codes(code: str) -> None:
    assert ask({"codigo": code}) == Bank(compe="001", ispb="00000000", nome="Banco do Brasil S.A.")


def test_the_examples_are_answered() -> None:
    for example in LOOK_UP_BANK.endpoints[0].examples.values():
        assert ask(example).model_dump() == LOOK_UP_BANK.example


@pytest.mark.parametrize(
    ("code", "issue"), [("999", "unknown_bank"), ("99999999", "unknown_bank"), ("41", "invalid_form")]
)
def test_another_code_is_an_issue(code: str, issue: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        ask({"codigo": code})
    (found,) = refused.value.fields
    assert (found.field, found.code) == ("codigo", issue)
    assert found.detail("pt") != found.detail("en")
