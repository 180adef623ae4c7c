"""The guides as they are made of the documents and sent: every one of them, in both frames."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from brskills_server.gateway.template import load
from brskills_server.web.pages.guides import Guides
from functions.site import app
from guides.__main__ import make, names
from tests.services.gateway import ROOT

PROJECT = "https://code.example/a&b/"
LANGUAGES = {"": "pt-BR", "?lang=en": "en"}
TEXTS = {
    query: json.loads((app.HERE / "texts" / f"{language[:2]}.json").read_text("utf-8"))
    for query, language in LANGUAGES.items()
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guides")
    make(folder)
    return folder


@pytest.fixture(autouse=True)
def site(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "GUIDES", Guides(made, {"": app.PT, "?lang=en": app.EN}, PROJECT))


def get(path: str, prefix: str = "", **headers: str) -> dict[str, Any]:
    """An answer for a path with its query, as the API hands it on."""
    path, _, query = path.partition("?")
    _, resource, *named = path.split("/", 2)
    return app.handler(
        {
            "httpMethod": "GET",
            "resource": f"/{resource}/{{name}}" if named else path,
            "pathParameters": {"name": named[0]} if named else None,
            "queryStringParameters": dict([query.split("=")]) if query else None,
            "headers": headers,
            "requestContext": {"requestId": "r-1", "path": prefix + path},
        },
        None,
    )


class Page(HTMLParser):
    """A page's links, ids, and text; its languages by element; what a strict policy would refuse."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.languages: dict[str, str] = {}
        self.refused: list[str] = []
        self.text = ""
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.ids += [given["id"]] if "id" in given else []
        self.languages |= {tag: given["lang"]} if "lang" in given else {}
        self.refused += [name for name in given if name == "style" or name.startswith("on")]
        self.refused += [tag] if tag in {"style", "script", "iframe", "img", "form"} else []

    def handle_data(self, data: str) -> None:
        self.text += data


def pages() -> list[str]:
    return [
        f"{path}{query}" for path in ["/guides", *(f"/guides/{n}" for n in names())] for query in LANGUAGES
    ]


def test_the_guides_are_documents_and_those_for_the_codes_readers_are_none() -> None:
    documents = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert documents - set(names()) == {
        "README", "faults", "figures", "limits", "page", "promises", "security",
    }  # fmt: skip
    assert len(set(names())) == len(names())


def test_both_languages_tell_of_the_same_guides_in_the_same_order() -> None:
    pt, en = (TEXTS[query]["guides"] for query in LANGUAGES)
    assert [(group, [*told["guides"]]) for group, told in pt.items()] == [
        (group, [*told["guides"]]) for group, told in en.items()
    ]
    words = [
        text
        for texts in (pt, en)
        for told in texts.values()
        for pair in told["guides"].values()
        for text in pair
    ]
    assert not [text for text in words if re.search('[<>"&{]', text)]  # they also stand in attributes


@pytest.mark.parametrize("page", pages())
def test_a_page_has_its_titles_languages_and_nothing_that_its_policy_refuses(page: str) -> None:
    answer = get(page)
    path, mark, query = page.partition("?")
    assert answer["statusCode"] == 200
    assert answer["headers"]["Content-Type"] == "text/html; charset=utf-8"
    assert answer["headers"]["Cache-Control"] == "no-cache"
    policy = answer["headers"]["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';")
    assert not re.search("unsafe|script|http", policy)
    body = answer["body"]
    found = Page(body)
    assert found.refused == []
    assert len(found.ids) == len(set(found.ids))
    assert "{{" not in body
    assert found.languages["html"] == LANGUAGES[mark + query]
    texts = TEXTS[mark + query]
    name = path.removeprefix("/guides").removeprefix("/")
    told = {name: pair for group in texts["guides"].values() for name, pair in group["guides"].items()}
    title, about = told[name] if name else (texts["page"]["guides_title"], texts["page"]["guides_lead"])
    assert f"<title>{title} · brskills</title>" in body
    assert f'<meta name="description" content="{about}">' in body
    if name:
        assert found.languages["article"] == "en"
        assert body.count("<h1") == 1


@pytest.mark.parametrize("page", pages())
def test_every_link_leads_to_something_with_such_an_anchor(page: str) -> None:
    path, mark, query = page.partition("?")
    for link in Page(get(page)["body"]).links:
        target, _, anchor = link.partition("#")
        if link.startswith("https://code.example/"):
            _holds_at_the_project(target)
        elif not re.match("https?:|mailto:", link):
            assert not link.startswith("/"), link
            there = _resolve(path, target) if target else page
            assert not anchor or anchor in Page(_body_at(there)).ids, link
            if there.startswith("/guides/") and there.partition("?")[0] != path:
                assert there.endswith(mark + query), f"{link} leads to the other language"


def _holds_at_the_project(address: str) -> None:
    if address != PROJECT:
        _, kind, branch, file = address.removeprefix(PROJECT.rstrip("/")).split("/", 3)
        assert (kind, branch) == ("tree" if (ROOT / file).is_dir() else "blob", "main")
        assert (ROOT / file).exists()


def _body_at(address: str) -> str:
    if address in {"/api/v1/openapi.json", "/llms.txt", "/SKILL.md"}:
        return ""  # other functions' documents
    if address in app.PAGES:
        return app.PAGES[address].body
    answer = get(address)
    assert answer["statusCode"] == 200, address
    return str(answer["body"])


def _resolve(path: str, link: str) -> str:
    """A relative link of a page at a path, with its query."""
    target, mark, query = link.partition("?")
    parts = path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) + mark + query


def test_the_list_names_every_guide_with_a_line_on_it() -> None:
    for query, texts in TEXTS.items():
        body = get(f"/guides{query}")["body"]
        told = re.findall(
            r'<dt><a href="guides/([\w-]+)(.*?)" hreflang="en">(.*?)</a></dt><dd>(.*?)</dd>', body
        )
        assert told == [
            (name, query, *pair)
            for group in texts["guides"].values()
            for name, pair in group["guides"].items()
        ]


def test_the_portuguese_frame_says_that_the_guides_are_in_english() -> None:
    assert "não há versão em português" in get("/guides")["body"]
    assert "não há versão em português" in get("/guides/keys")["body"]
    assert "português" not in get("/guides/keys?lang=en")["body"]


def test_a_long_guide_begins_with_its_contents_and_a_short_one_has_none() -> None:
    long, short = get("/guides/billing")["body"], get("/guides/payee")["body"]
    assert '<li><a href="#before-the-first-sale">Before the first sale</a></li>' in long
    assert "Neste guia" not in short


@pytest.mark.parametrize(
    "name",
    ["", "nothing", "README", "page", "../app", "brcode?lang=en", "brcode.json", "brcode/", "{{query}}"],
)
def test_a_guide_that_is_not_there_is_a_problem(name: str) -> None:
    event = {"httpMethod": "GET", "resource": "/guides/{name}", "pathParameters": {"name": name}}
    answer = app.handler(event, None)
    assert answer["statusCode"] == 404
    assert json.loads(answer["body"])["code"] == "not_found"


def test_a_guide_that_is_known_is_not_sent_again() -> None:
    etag = get("/guides/keys")["headers"]["ETag"]
    assert get("/guides/keys", **{"If-None-Match": etag})["statusCode"] == 304
    assert get("/guides/keys?lang=en", **{"If-None-Match": etag})["statusCode"] == 200


@pytest.mark.parametrize("page", ["/guides", "/guides?lang=en", "/guides/keys", "/guides/keys?lang=en"])
def test_a_guide_names_the_address_that_it_was_asked_for_at(page: str) -> None:
    body = get(page, prefix="/v1", Host="x.example", **{"X-Forwarded-Proto": "https"})["body"]
    assert f'<link rel="canonical" href="https://x.example/v1{page}">' in body
    assert "canonical" not in get(page)["body"]


def test_a_guide_whose_name_is_sent_encoded_has_the_same_address() -> None:
    event = {
        "httpMethod": "GET",
        "resource": "/guides/{name}",
        "pathParameters": {"name": "keys"},
        "headers": {"Host": "x.example"},
        "requestContext": {"path": "/v1/guides/%6beys"},
    }
    body = app.handler(event, None)["body"]
    assert '<link rel="canonical" href="http://x.example/v1/guides/keys">' in body


def test_without_the_guides_the_list_says_so_and_the_rest_is_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "GUIDES", Guides(tmp_path / "none", {"": app.PT, "?lang=en": app.EN}, PROJECT))
    assert "Os guias não estão nesta instalação" in get("/guides")["body"]
    assert get("/guides/keys")["statusCode"] == 404
    assert app.handler({"resource": "/sitemap.xml", "httpMethod": "GET"}, None)["statusCode"] == 200


def test_made_again_they_are_the_same_bytes_and_what_was_there_is_gone(made: Path, tmp_path: Path) -> None:
    (tmp_path / "former.json").write_text("{}")
    make(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in made.iterdir()
    }


def test_each_is_a_route_that_also_takes_head() -> None:
    served = {(route.method, route.resource) for route in load().routes if route.function == "site"}
    assert served >= {(method, path) for path in ("/guides", "/guides/{name}") for method in ("GET", "HEAD")}
