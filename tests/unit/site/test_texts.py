"""The page's texts: complete in both languages, used, and true to what the service says of itself."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

import brcode
from brskills_server.accounts.plans import PLANS
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.skills.catalogue import SCOPES
from brskills_server.web.pages.documents import MEDIA_TYPES
from brskills_server.web.pages.standing import DEFAULTS
from brskills_server.web.problem_table import PROBLEMS
from functions.site.app import FILES, HERE, PAGES

LANGUAGES = {name: json.loads((HERE / "texts" / f"{name}.json").read_text()) for name in ("pt", "en")}
TEMPLATES = "".join(path.read_text() for path in sorted(HERE.glob("*.html")))
SCRIPTS = {name: file.body for name, file in FILES.items() if name.endswith(".js") and "/" not in name}
FILLED_IN = {
    "static",
    "script_texts",
    "installs",
    "footer_own_pages",
    "support_contact",
    "contact_url",
    *(name.lower() for name in DEFAULTS),
    *("root", "own", "content", "content_title", "content_about", "groups", "contents", "article"),
}
MARKS = {"else"}  # of a part that is shown or not
IN_FILLINGS = {"footer_terms", "footer_privacy", "footer_sla", "footer_support"}
IN_FILLINGS |= {"guides_missing", "guide_contents"}
# Named by values of the API: `tipo_${value}`, `fault_${campo}_${code}`, a field's own name, a finding's kind;
# by a snippet's file: `where_${file}`.
COMPOSED = ("tipo_", "status_", "state_", "part_", "name_", "scope_", "fault_", "where_")
FIELDS = re.findall(r'"(\w+)"', SCRIPTS["fields.js"])
MAX_WEIGHT = 125_000
OTHERS = ("viewer/", "guides.css")  # of pages that are not this one


def test_languages_say_the_same_things():
    pt, en = LANGUAGES.values()
    assert pt["page"].keys() == en["page"].keys()
    assert pt["script"].keys() == en["script"].keys()
    for name, words in pt["script"].items():
        assert set(re.findall(r"\{\w+\}", words)) == set(re.findall(r"\{\w+\}", en["script"][name])), name


def test_every_text_of_the_page_is_used_and_no_other():
    named = set(re.findall(r"\{\{(\w+)\}\}", TEMPLATES)) - FILLED_IN - MARKS
    assert named | IN_FILLINGS == LANGUAGES["pt"]["page"].keys()


def test_every_text_of_the_scripts_is_used_and_no_other():
    texts = LANGUAGES["pt"]["script"].keys()
    code = "".join(SCRIPTS.values())
    named = set(re.findall(r'text\("(\w+)"', code))
    assert named <= texts
    quoted = set(re.findall(r'"(\w+)"', code)) | {"language", *FIELDS}
    assert {name for name in texts if name not in quoted and not name.startswith(COMPOSED)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_program_may_do_is_told_in_the_words_in_which_it_was_allowed(language):
    consent = json.loads((HERE.parent / "oauth" / "page" / f"{language}.json").read_text("utf-8"))
    told = LANGUAGES[language]["script"]
    assert {f"scope_{scope}" for scope in SCOPES} == {name for name in told if name.startswith("scope_")}
    assert all(told[f"scope_{scope}"] == consent[f"scope_{scope}"] for scope in SCOPES)


def test_a_fault_has_words_of_its_own_only_where_the_api_has_such_a_fault():
    for name in LANGUAGES["pt"]["script"]:
        if name.startswith("fault_"):
            _, field, code = name.split("_", 2)
            assert code in {"valor": brcode.texts.ISSUES, "own": PROBLEMS}[field]
    for code in ("invalid_amount", "too_many_decimals"):
        assert "49,90" in LANGUAGES["pt"]["script"][f"fault_valor_{code}"]


def test_no_text_is_left_over_in_a_page():
    for page in PAGES.values():
        assert "{{" not in page.body


@pytest.mark.parametrize("address", ["/", "/en"])
def test_the_errors_table_lists_every_error(address):
    rows = re.findall(r"<tr><td>(\d+)</td><td><code>(\w+)</code>", PAGES[address].body)
    assert {code: int(status) for status, code in rows} == {
        code: kind.status for code, kind in PROBLEMS.items() if ":" not in code
    }


@pytest.mark.parametrize("address", ["/", "/en"])
def test_the_dozen_that_callers_meet_come_first_and_the_others_are_folded(address):
    section = PAGES[address].body.partition('id="errors"')[2].partition("</section>")[0]
    shown, _, folded = section.partition("<details")
    first, others = (
        re.findall(r"<tr><td>(\d+)</td><td><code>(\w+)</code>", part) for part in (shown, folded)
    )
    assert len(first) == 12
    assert first == sorted(first, key=lambda row: row[0])
    assert others == sorted(others, key=lambda row: row[0])
    # Of signing in, sign-up and billing, which the page has elsewhere; and of a body's size and type.
    elsewhere = {"invalid_token", "insufficient_scope", "demo_key", "signup_closed", "signup_limit"}
    elsewhere |= {"already_subscribed", "billing_unavailable", "invalid_signature"}
    assert {code for _, code in others} == elsewhere | {
        "body_too_large",
        "unsupported_media_type",
        "uncounted_limit",
    }


@pytest.mark.parametrize(("language", "thousands"), [("pt", "."), ("en", ",")])
def test_the_plans_are_those_that_are_sold(language, thousands):
    texts = LANGUAGES[language]["page"]
    for plan in (PLANS["free"], PLANS["pro"]):
        assert re.findall(r"\d+", texts[f"plan_{plan.id}_price"]) == [str(plan.price_usd)]
        limit = f"{plan.monthly_limit:,}".replace(",", thousands)
        assert texts[f"plan_{plan.id}_calls"].split()[0] == limit
    assert PLANS["enterprise"].monthly_limit is None
    for plan in ("free", "pro", "enterprise"):
        shown = {words for name, words in texts.items() if name.startswith(f"plan_{plan}_")}
        promised = PLANS[plan].includes_pt if language == "pt" else PLANS[plan].includes_en
        assert set(promised) <= shown


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
    page.feed(PAGES[address].body)
    assert page.refused == []
    assert len(page.ids) == len(set(page.ids))
    for link in set(page.links) - {DEFAULTS["PROJECT_URL"]}:
        assert not link.startswith(("/", "http")), link
        if link.startswith("#"):
            assert link[1:] in page.ids
        elif link.startswith("static/"):
            name = link.split("/", 2)[2]
            assert name in FILES or name.startswith("viewer/")


def test_scripts_import_what_is_there():
    for name, code in SCRIPTS.items():
        for imported in re.findall(r'(?:from|import\() ?"\./([\w.-]+)"', code):
            assert imported in SCRIPTS, f"{name} imports {imported}"


def test_every_file_has_a_type_that_is_text():
    files = [path for path in (HERE / "static").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} <= MEDIA_TYPES.keys()


@pytest.mark.parametrize("address", ["/", "/en"])
def test_a_visit_is_light(address):
    own = sum(len(file.body.encode()) for name, file in FILES.items() if not name.startswith(OTHERS))
    assert own + len(PAGES[address].body.encode()) < MAX_WEIGHT


def test_the_examples_are_what_their_buttons_say():
    faulty, company = (
        "".join(re.findall(r'"(.*?)"', lines))
        for lines in re.findall(r"const (?:FAULTY|COMPANY) =\n(.*?);", SCRIPTS["check.js"], re.DOTALL)
    )
    assert [finding.rule for finding in brcode.decode(faulty).errors] == ["crc_mismatch"]
    fields = brcode.decode(company).fields
    assert fields.key in SANDBOX_NUMBERS
    payee = {"merchant_name": fields.merchant_name, "merchant_city": fields.merchant_city}
    assert brcode.encode(key=fields.key, amount=fields.amount, **payee).payload == company


def test_of_cookies_it_says_only_what_is_true_of_this_page():
    assert LANGUAGES["pt"]["page"]["footer_trackers"].startswith("Esta página não usa cookies")
    assert LANGUAGES["en"]["page"]["footer_trackers"].startswith("This page uses no cookies")


def test_portuguese_texts_name_the_service_with_one_article():
    root = HERE.parent.parent
    texts = [
        root / "README.md",
        HERE / "texts" / "pt.json",
        root / "functions" / "oauth" / "page" / "pt.json",
    ]
    for path in texts:
        assert (
            re.findall(r"\b(?:o|do|no|ao|pelo) brskills\b", path.read_text("utf-8"), re.IGNORECASE) == []
        ), path
