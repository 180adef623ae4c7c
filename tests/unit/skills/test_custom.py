"""The accounts that may use a custom skill, and the rules of its declaration."""

from dataclasses import replace
from datetime import date
from enum import Enum
from typing import Any

from pydantic import ConfigDict, Field, RootModel, create_model

from brskills_server.accounts.account import Account
from brskills_server.gateway.template import load
from brskills_server.skills.catalogue import SCOPES, SKILLS
from brskills_server.skills.custom import CUSTOM, ROUTE, CustomSkills, endpoints_of
from brskills_server.skills.custom_rules import MOST_BODY_BYTES, MOST_SECONDS, faults_of
from brskills_server.skills.skill import Endpoint, Texts
from tests.fakes.odd_skills import ODD_ECHO, Asked, Reply, odd
from tests.for_each import for_each

INSTALLED = {"odd_echo": ODD_ECHO, "odd_other": odd("odd_other", ODD_ECHO.answer)}
SKILLS_OF_PRO = CustomSkills(INSTALLED, {"odd_other": frozenset({"pro", "enterprise"})})


@for_each(
    ("plan", "granted", "allowed"),
    [
        ("free", (), set()),
        ("pro", (), {"odd_other"}),
        ("enterprise", ("odd_echo",), {"odd_echo", "odd_other"}),
        ("free", ("odd_echo", "no_longer_installed"), {"odd_echo"}),
    ],
)
def test_a_skill_is_for_accounts_it_was_granted_to_and_for_its_plans(
    plan: str, granted: tuple[str, ...], allowed: set[str]
) -> None:
    account = Account("acc_1", plan, None, {}, skills=frozenset(granted))
    assert set(SKILLS_OF_PRO.of(account)) == allowed
    assert SKILLS_OF_PRO.of(None) == {}  # the demo key


def test_their_route_is_in_the_template_and_replaces_none_of_the_service() -> None:
    served = {(route.method, route.resource): route for route in load().routes}
    assert served["POST", ROUTE].function == CUSTOM
    assert not served["POST", ROUTE].requires_key
    standard = [endpoint for skill in SKILLS.values() for endpoint in skill.endpoints]
    assert not any(endpoint.path.startswith(ROUTE.partition("{")[0]) for endpoint in standard)
    assert not any(endpoint.operation.startswith(CUSTOM) for endpoint in standard)
    assert CUSTOM in SCOPES
    assert CUSTOM not in {skill.scope for skill in SKILLS.values()}


def test_different_names_give_different_operations() -> None:
    names = ["a_b", "ab", "a_b_c", "ab_c", "a1", "a"]
    assert len({endpoints_of(name, {})[0].operation for name in names}) == len(names)


def test_a_declaration_that_is_right_has_no_fault() -> None:
    assert list(faults_of("odd_echo", ODD_ECHO)) == []


class Colour(Enum):
    RED = "red"


def model(name: str, doc: str | None = "Um modelo.", *, is_open: bool = False, **fields: Any) -> Any:
    """A model with a right field ``texto`` and with these."""
    text = (str, Field(description="Um texto.", examples=["x"]))
    config = ConfigDict() if is_open else ConfigDict(extra="forbid")
    return create_model(name, __doc__=doc, __config__=config, **{"texto": text, **fields})


OPEN = model("Open", is_open=True)
UNDESCRIBED = model("Undescribed", None)
DEEP = model(
    "Deep",
    lista=(list[str], Field([], description="Uma lista.", examples=[["x"]])),
    cor=(Colour | None, Field(None, description="Uma cor.", examples=["red"])),
    mudo=(int | None, Field(None, examples=[1])),
)
UNUSUAL = model(
    "Unusual",
    dia=(date | None, Field(None, description="Um dia.", examples=["2026-01-31"])),
    número=(int, Field(1, description="Um número.", examples=[1])),
    outro=(int, Field(1, alias="um-outro", ge=1, description="Outro.", examples=[1])),
)
RENAMED = model("Renamed", texto=(str, Field(serialization_alias="palavra")))
ACCENTED = model("Situação")
NAMESAKE = model("Asked")


class Several(RootModel[list[str]]):
    """Não é um objeto."""


TEXTS = ODD_ECHO.texts


@for_each(
    ("changes", "words"),
    [
        ({"name": "odd_other"}, ["must be called 'odd_other'", "endpoints must be"]),
        ({"scope": "pix"}, ["scope must be 'custom'"]),
        ({"endpoints": ()}, ["endpoints must be", "at least one example"]),
        (
            {"endpoints": (Endpoint("POST", "/api/v1/skills/pix", "customOddEcho", {"um": {"texto": "x"}}),)},
            ["endpoints must be", "the guide must show"],
        ),
        ({"endpoints": (replace(ODD_ECHO.endpoints[0], operation="createPixCode"),)}, ["endpoints must be"]),
        ({"endpoints": endpoints_of("odd_echo", {"um": {"cor": "x"}})}, ["an example does not fit"]),
        ({"endpoints": endpoints_of("odd_echo", {"um": "x"})}, ["an example does not fit"]),
        ({"request": OPEN}, ["must forbid unknown fields"]),
        ({"request": dict}, ["request must be a model"]),
        ({"request": DEEP}, ["field 'lista'", "field 'cor'", "field 'mudo'"]),
        (
            {"request": UNUSUAL},
            ["field 'dia' does not", "field 'n\\xfamero' must", "'um-outro' must have no"],
        ),
        ({"result": ACCENTED}, ["the result model's name must be letters"]),
        ({"result": Several}, ["the result must have fields"]),
        ({"result": RENAMED, "example": {"texto": "x"}}, ["its example of an answer is not"]),
        ({"example": {"texto": date(2026, 1, 31)}}, ["its example of an answer is not"]),
        ({"example": {"texto": 5}}, ["its example of an answer is not"]),
        ({"answer": None, "prepare": "x", "counts": 1}, ["answer must", "prepare must", "counts must"]),
        ({"uses_external_data": "no"}, ["uses_external_data must"]),
        ({"texts": replace(TEXTS, notes=5)}, ["texts lack notes"]),
        ({"request": UNDESCRIBED}, ["the request model needs a docstring"]),
        ({"result": str}, ["result must be a model"]),
        ({"result": NAMESAKE}, ["models of different names"]),
        ({"texts": Texts("t", "", "u", "a", "n", "", TEXTS.guide)}, ["texts lack purpose, english"]),
        ({"texts": replace(TEXTS, guide="ask")}, ["the guide must show"]),
        *(
            ({"seconds": seconds}, ["seconds must be"])
            for seconds in (None, 0, float("nan"), MOST_SECONDS + 1, "5")
        ),
        *(({"body_bytes": size}, ["body_bytes must be"]) for size in (MOST_BODY_BYTES + 1, 0, True, 1e5)),
        ({"write": lambda answer: "{}"}, ["must leave write"]),
        ({"forms": {"text/plain": str}}, ["must leave forms"]),
        ({"validator": str}, ["must leave validator"]),
        ({"errors": ("quota_exceeded",)}, ["must leave errors"]),
    ],
)
def test_every_fault_of_a_declaration_is_listed(changes: dict[str, Any], words: list[str]) -> None:
    faults = list(faults_of("odd_echo", replace(ODD_ECHO, **changes)))
    assert len(faults) == len(words), faults
    assert all(word in fault for word, fault in zip(words, faults, strict=True)), faults
    assert not any("\n" in fault for fault in faults)


@for_each("name", ["Odd", "odd-echo", "odd__echo", "odd_", "1odd", "", "odd_1", "x" * 41])
def test_a_name_is_words(name: str) -> None:
    assert any("a name is words" in fault for fault in faults_of(name, odd(name, ODD_ECHO.answer)))


@for_each("name", SKILLS)
def test_a_name_of_the_services_skills_is_taken(name: str) -> None:
    assert list(faults_of(name, odd(name, ODD_ECHO.answer))) == ["a skill of the service has this name"]


@for_each("declared", [None, "skill", Asked, Reply(texto="x"), {"name": "odd_echo"}])
def test_anything_else_is_no_declaration(declared: Any) -> None:
    (fault,) = faults_of("odd_echo", declared)
    assert fault == f"is not a brskills_server.skills.skill.Skill but {type(declared).__name__}"
