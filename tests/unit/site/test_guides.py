"""The guides as they are made of the documents and served, in both languages."""

import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import pytest

from brskills_server.web.pages.guides import Guides
from brskills_server.web.pages.templates import environment
from functions.site import app
from guides.__main__ import LIST, make, names
from tests.services.gateway import ROOT
from tests.unit.site.serving import get

LANGUAGES = {"": "pt-BR", "?lang=en": "en"}
PROJECT = app.SETTINGS.project_url


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "guides"
    make(folder)
    return folder


@pytest.fixture(autouse=True, scope="module")
def site(made: Path) -> Iterator[None]:
    templates = {
        language: environment(language, found.globals, app.HERE / "templates", made.parent)
        for language, found in app.TEMPLATES.items()
    }
    app.render.cache_clear()
    with mock.patch.multiple(app, GUIDES=Guides(LIST, made), TEMPLATES=templates):
        yield
    app.render.cache_clear()


SERVICE = "http://127.0.0.1:8000"  # where the host is unknown


class Page(HTMLParser):
    """A page's links, ids, and text; its languages by element; what a strict policy would refuse."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.languages: dict[str, str] = {}
        self.refused: list[str] = []
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.ids += [given["id"]] if "id" in given else []
        self.languages |= {tag: given["lang"]} if "lang" in given else {}
        self.refused += [name for name in given if name == "style" or name.startswith("on")]
        self.refused += [tag] if tag in {"style", "iframe", "img", "form"} else []


PAGES = [f"{path}{query}" for path in ["/docs", *(f"/docs/{n}" for n in names())] for query in LANGUAGES]


def test_the_list_has_documents_once_each() -> None:
    for language in ("pt", "en"):
        assert set(names()) == {path.stem for path in (ROOT / "docs/guides" / language).glob("*.md")}
    assert len(set(names())) == len(names())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_in_its_language_and_has_nothing_that_its_policy_refuses(page: str) -> None:
    answer = get(page)
    _, mark, query = page.partition("?")
    assert (answer["statusCode"], answer["headers"]["Cache-Control"]) == (200, "no-cache")
    policy = answer["headers"]["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert not re.search("unsafe|http", policy)
    body = answer["body"]
    found = Page(body)
    assert found.refused == []
    assert len(found.ids) == len(set(found.ids))
    assert not re.search(r"\{[{%#]", body)
    assert found.languages["html"] == LANGUAGES[mark + query]
    assert body.count("<h1") == 1
    assert "127.0.0.1:8000" not in body.replace(SERVICE, "")


@pytest.mark.parametrize("page", [page for page in PAGES if page.endswith("lang=en")] + ["/docs"])
def test_every_link_leads_to_something_with_such_an_anchor(page: str) -> None:
    path, mark, query = page.partition("?")
    for link in Page(get(page)["body"]).links:
        target, _, anchor = link.partition("#")
        if link.startswith(PROJECT):
            _exists_in_the_project(target)
        elif not re.match("https?:|mailto:", link):
            assert not link.startswith("/"), link
            there = _resolve(path, target) if target else page
            ids = _ids_at(there)
            assert not anchor or anchor in ids, link
            if there.startswith("/docs/") and there.partition("?")[0] != path:
                assert there.endswith(mark + query), f"{link} leads to the other language"


@cache
def _ids_at(address: str) -> list[str]:
    if address in {"/api/v1/openapi.json", "/api/v1/status", "/llms.txt", "/SKILL.md"}:
        return []  # other functions' documents
    answer = get(address)
    assert answer["statusCode"] == 200, address
    return Page(answer["body"]).ids


def _exists_in_the_project(address: str) -> None:
    if address != PROJECT:
        _, kind, branch, file = address.removeprefix(PROJECT).split("/", 3)
        assert (kind, branch) == ("tree" if (ROOT / file).is_dir() else "blob", "main")
        assert (ROOT / file).exists()


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


@pytest.mark.parametrize("query", LANGUAGES)
def test_the_index_links_to_every_guide(query: str) -> None:
    links = re.findall(r'<a href="docs/([\w-]+)([^"]*)"><strong>', get(f"/docs{query}")["body"])
    assert links == [(name, query) for name in names()]


@pytest.mark.parametrize("query", LANGUAGES)
def test_a_guide_leads_to_the_one_before_and_the_one_after(query: str) -> None:
    for before, name, after in zip(["", *names()], names(), [*names()[1:], ""], strict=False):
        around = dict(
            re.findall(r'href="../docs/([\w-]+)[^"]*" rel="(prev|next)"', get(f"/docs/{name}{query}")["body"])
        )
        assert around == {link: rel for link, rel in ((before, "prev"), (after, "next")) if link}


def test_calls_have_the_address_and_the_key_of_the_deployment() -> None:
    body = get("/docs/start", path="/v1/docs/start", Host="x.example", X_Forwarded_Proto="https")["body"]
    assert "curl -s https://x.example/v1/api/v1/skills/pix" in body
    assert app.SETTINGS.demo_api_key in body


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_search_index_has_every_section(made: Path, language: str) -> None:
    index = json.loads((made / f"search-{language}.json").read_text("utf-8"))
    assert {entry["name"] for entry in index} == set(names())
    query = "?lang=en" if language == "en" else ""
    for entry in index:
        assert entry["anchor"] in Page(get(f"/docs/{entry['name']}{query}")["body"]).ids


@pytest.mark.parametrize(
    "name", ["", "nothing", "README", "page", "../app", "brcode.html", "brcode/", "{{query}}"]
)
def test_a_guide_that_does_not_exist_is_a_problem(name: str) -> None:
    event = {"httpMethod": "GET", "resource": "/docs/{name}", "pathParameters": {"name": name}}
    answer = app.handler(event, None)
    assert answer["statusCode"] == 404
    assert json.loads(answer["body"])["code"] == "not_found"


@pytest.mark.parametrize(
    ("query", "title", "other"),
    [("", "Página não encontrada", "../docs?lang=en"), ("?lang=en", "Page not found", "../docs")],
)
def test_a_browser_gets_a_page_for_a_guide_that_does_not_exist(query: str, title: str, other: str) -> None:
    answer = get(f"/docs/nothing{query}", Accept="text/html,*/*;q=0.8")
    assert (answer["statusCode"], answer["headers"]["Cache-Control"]) == (404, "no-store")
    assert f"<h1>{title}</h1>" in answer["body"]
    assert f'<a class="language" href="{other}"' in answer["body"]
    assert f'<a class="button" href="../docs{query}">' in answer["body"]


def test_a_guide_that_the_caller_has_is_not_sent_again() -> None:
    etag = get("/docs/keys")["headers"]["ETag"]
    assert get("/docs/keys", If_None_Match=etag)["statusCode"] == 304
    assert get("/docs/keys?lang=en", If_None_Match=etag)["statusCode"] == 200


@pytest.mark.parametrize("page", ["/docs", "/docs?lang=en", "/docs/keys", "/docs/keys?lang=en"])
def test_a_guide_names_the_address_that_it_was_requested_at(page: str) -> None:
    path = f"/v1{page.partition('?')[0]}"
    body = get(page, path=path, Host="x.example", X_Forwarded_Proto="https")["body"]
    assert f'<link rel="canonical" href="https://x.example/v1{page}">' in body
    assert "canonical" not in get(page)["body"]


def test_a_guide_whose_name_is_sent_encoded_has_the_same_address() -> None:
    body = get("/docs/keys", path="/v1/docs/%6beys", Host="x.example")["body"]
    assert '<link rel="canonical" href="http://x.example/v1/docs/keys">' in body


def test_without_the_guides_everything_else_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "GUIDES", Guides(LIST, tmp_path / "none"))
    app.render.cache_clear()
    assert "Os guias não estão nesta instalação" in get("/docs")["body"]
    assert get("/docs/keys")["statusCode"] == 404
    assert get("/sitemap.xml")["statusCode"] == 200
    app.render.cache_clear()


def test_made_again_they_are_the_same_bytes_and_older_files_are_removed(made: Path, tmp_path: Path) -> None:
    (tmp_path / "former.html").write_text("")
    make(tmp_path)
    files, again = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (made, tmp_path)
    )
    assert files == again
