"""The page's texts: used, complete in English, and consistent with what the service does."""

import json
import re
from html.parser import HTMLParser

import pytest

import brcode
from brskills_server.accounts.plans import PLANS
from brskills_server.skills.catalogue import SCOPES
from brskills_server.web.problem_table import PROBLEMS
from brskills_server.web.translation import english
from functions.site.app import FILES, PAGES
from tests.unit.site.messages import page_messages
from tests.unit.site.serving import body_with, get

SCRIPTS = {
    name: file.body for name, file in FILES.items() if name.endswith(".js") and name not in {"docs.js"}
}
# Named by values of the API: `tipo_${value}`, `issue_${campo}_${code}`, a field's own name, a finding's kind;
# by a snippet's file: `where_${file}`.
COMPOSED = ("tipo_", "status_", "state_", "part_", "source_", "issue_", "where_", "registration_")
FIELDS = re.findall(r'"(\w+)"', SCRIPTS["fields.js"])
MAX_WEIGHT = 100_000
OTHERS = (
    "viewer/",
    "docs.",
    "search-",
    "company-changes",
    "own-texts.",
    "reference.",
    "service.css",
    "status",
    "history.js",
    "grants",
    "payee-",
    "watches",
    "company-",
    "en/",
    "pt/",
)  # of other pages, and what is loaded when it is opened


def body(address: str) -> str:
    return str(get(address)["body"])


def script_texts(address: str) -> dict[str, str]:
    found = re.search('<script type="application/json" id="texts">(.*?)</script>', body(address), re.DOTALL)
    texts: dict[str, str] = json.loads(found[1])
    return texts


def test_both_languages_have_the_same_placeholders_and_no_other_percent_sign():
    for portuguese in page_messages():
        texts = (portuguese, english()[portuguese])
        marks = [set(re.findall(r"\{\w+\}|%\(\w+\)s", text)) for text in texts]
        assert marks[0] == marks[1], portuguese
        assert not any("%" in re.sub(r"%%|%\(\w+\)s", "", text) for text in texts), portuguese


def test_every_text_of_the_scripts_is_used_and_no_other():
    texts = script_texts("/").keys() | script_texts("/status").keys()
    code = "".join(SCRIPTS.values())
    assert set(re.findall(r'text\("(\w+)"', code)) <= texts
    quoted = set(re.findall(r'"(\w+)"', code)) | {"language", *FIELDS}
    assert {name for name in texts if name not in quoted and not name.startswith(COMPOSED)} == set()
    assert script_texts("/en").keys() == script_texts("/").keys()
    assert script_texts("/en/status").keys() == script_texts("/status").keys()
    assert {*re.findall(r"scope_(\w+):", SCRIPTS["grants-texts.js"])} == {*SCOPES}


def test_an_issue_has_a_text_of_the_page_only_where_the_api_has_such_a_code():
    for name in script_texts("/"):
        if name.startswith("issue_"):
            _, field, code = name.split("_", 2)
            assert code in {"valor": brcode.encode_texts.ENCODE_TEXTS, "own": PROBLEMS}[field]


@pytest.mark.parametrize(("address", "thousands"), [("/pricing", "."), ("/en/pricing", ",")])
def test_the_plans_are_those_that_are_sold(address, thousands):
    section = body_with({"STRIPE_PRICE_PRO": "price_1"}, address)
    for plan in (PLANS["free"], PLANS["pro"]):
        limit = f"{plan.monthly_limit:,}".replace(",", thousands)
        card = section.partition(f"<h2>{plan.id.title()}</h2>")[2].partition("</ul>")[0]
        assert re.findall(r'class="price">\D*(\d+)', card) == [str(plan.price_usd)]
        assert f"<li>{limit} " in card


class _Links(HTMLParser):
    """What a page refers to, its ids, and whatever a strict policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.refused: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [value or "" for name, value in attrs if name in {"href", "src", "action"}]
        self.ids += [given["id"] or ""] if "id" in given else []
        self.refused += [name for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given and given["type"] != "application/json"):
            self.refused.append(tag)


@pytest.mark.parametrize("address", PAGES)
def test_links_are_relative_and_lead_somewhere(address):
    page = _Links()
    page.feed(body(address))
    assert page.refused == []
    assert len(page.ids) == len(set(page.ids))
    for link in set(page.links):
        assert not link.startswith(("/", "http")), link
        if link.startswith("#"):
            assert link[1:] in page.ids
        elif link.startswith("static/"):
            name = link.split("/", 2)[2]
            assert name in FILES or name.startswith("viewer/")


@pytest.mark.parametrize("address", ["/", "/en"])
def test_a_visit_is_light(address):
    own = sum(len(file.body.encode()) for name, file in FILES.items() if not name.startswith(OTHERS))
    assert own + len(body(address).encode()) < MAX_WEIGHT
