"""The guides as they are made of the documents and served, in both languages."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock
from urllib.parse import unquote, urljoin

import pytest

from brskills_server.web.pages import places
from brskills_server.web.pages.guides import Guides
from brskills_server.web.pages.templates import environment
from functions.site import app
from guides.__main__ import LIST, make, names
from tests.services.gateway import ROOT
from tests.unit.site.serving import get

LANGUAGES = {"": "pt-BR", "/en": "en"}


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
    """A page's links, those to its other language, ids, languages by element; what a policy would refuse."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.switches: set[str] = set()
        self.ids: list[str] = []
        self.languages: dict[str, str] = {}
        self.refused: list[str] = []
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.switches |= {given["href"]} if given.get("class") == "language" else set()
        self.ids += [given["id"]] if "id" in given else []
        self.languages |= {tag: given["lang"]} if "lang" in given else {}
        self.refused += [name for name in given if name == "style" or name.startswith("on")]
        self.refused += [tag] if tag in {"style", "iframe", "img", "form"} else []


PAGES = [f"{prefix}{path}" for path in ["/docs", *(f"/docs/{n}" for n in names())] for prefix in LANGUAGES]


def test_the_list_has_documents_once_each() -> None:
    for language in ("pt", "en"):
        assert set(names()) == {path.stem for path in (ROOT / "docs/guides" / language).glob("*.md")}
    assert len(set(names())) == len(names())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_in_its_language_and_has_nothing_that_its_policy_refuses(page: str) -> None:
    answer = get(page)
    assert (answer["statusCode"], answer["headers"]["Cache-Control"]) == (200, "no-cache")
    policy = answer["headers"]["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert not re.search("unsafe|http", policy)
    body = answer["body"]
    found = Page(body)
    assert found.refused == []
    assert len(found.ids) == len(set(found.ids))
    assert not re.search(r"\{[{%#]", body)
    assert found.languages["html"] == LANGUAGES["/en" if page.startswith("/en") else ""]
    assert body.count("<h1") == 1
    assert "127.0.0.1:8000" not in body.replace(SERVICE, "")


OTHERS = {
    "/api/v1/openapi.json",
    "/api/v1/status",
    "/llms.txt",
    "/SKILL.md",
    "/changelog.atom",
    "/clients/install.txt",
}
"""Documents of other functions, and what is no page."""


def test_every_link_of_the_site_leads_to_a_page_with_such_an_anchor() -> None:
    every = {places.place(own, name) for own in (*app.PAGES, *app.GUIDES.paths) for name in ("pt", "en")}
    crawled, wanted, wrong = dict[str, Page](), every, []
    while waiting := wanted - crawled.keys() - OTHERS:
        for address in waiting:
            answer = get(address)
            if answer["statusCode"] != 200:
                wrong.append((address, answer["statusCode"]))
            crawled[address] = Page(answer["body"])
            wanted |= {
                urljoin(address, link).partition("#")[0] for link in crawled[address].links if _is_ours(link)
            }
    for address, page in crawled.items():
        for link in page.links:
            target, _, anchor = urljoin(address, link).partition("#")
            if _is_ours(link) and anchor and unquote(anchor) not in crawled[target].ids:
                wrong.append((address, link))
            if _is_ours(link) and link not in page.switches and target not in OTHERS:
                assert target.startswith("/en") == address.startswith("/en"), (address, link)
    assert wrong == []


def _is_ours(link: str) -> bool:
    return not re.match("https?:|mailto:", link)


@pytest.mark.parametrize("prefix", LANGUAGES)
def test_the_index_links_to_every_guide(prefix: str) -> None:
    assert re.findall(r'/?docs/([\w-]+)"><strong>', get(f"{prefix}/docs")["body"]) == names()


@pytest.mark.parametrize("prefix", LANGUAGES)
def test_a_guide_leads_to_the_one_before_and_the_one_after(prefix: str) -> None:
    for before, name, after in zip(["", *names()], names(), [*names()[1:], ""], strict=False):
        around = dict(re.findall(r'docs/([\w-]+)" rel="(prev|next)"', get(f"{prefix}/docs/{name}")["body"]))
        assert around == {link: rel for link, rel in ((before, "prev"), (after, "next")) if link}


def test_calls_have_the_address_and_the_key_of_the_deployment() -> None:
    body = get("/docs/start", path="/v1/docs/start", Host="x.example", X_Forwarded_Proto="https")["body"]
    assert "curl -s https://x.example/v1/api/v1/skills/pix" in body
    assert app.SETTINGS.demo_api_key in body


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_search_index_has_every_section(made: Path, language: str) -> None:
    index = json.loads((made / f"search-{language}.json").read_text("utf-8"))
    assert {entry["name"] for entry in index} == set(names())
    prefix = "/en" if language == "en" else ""
    for entry in index:
        assert entry["anchor"] in Page(get(f"{prefix}/docs/{entry['name']}")["body"]).ids


MISSING = [
    "/nothing",
    "/docs/nothing",
    "/docs/app.py",
    "/docs/keys.html",
    "/docs/{{query}}",
    "/api",
    "/docs/en/keys",
]


@pytest.mark.parametrize("path", [*MISSING, *(f"/en{path}" for path in MISSING), "/english", "/api/v1/nope"])
@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "text/html,*/*;q=0.8"])
def test_what_does_not_exist_is_a_page_to_browsers_and_a_problem_to_programs(path: str, accept: str) -> None:
    answer = get(path, Accept=accept)
    assert answer["statusCode"] == 404
    if not accept.startswith("text/html") or path.startswith("/api/"):
        assert json.loads(answer["body"])["code"] == "not_found"
        return
    assert answer["headers"]["Cache-Control"] == "no-store"
    english = path.startswith("/en/")
    assert f"<h1>{'Page not found' if english else 'Página não encontrada'}</h1>" in answer["body"]
    page = Page(answer["body"])
    links = {
        urljoin(path, link).partition("#")[0] for link in page.links if _is_ours(link) and link[0] != "#"
    }
    assert links >= ({"/en", "/en/docs", "/"} if english else {"/", "/docs", "/en"})
    assert all(get(link)["statusCode"] == 200 for link in links - OTHERS)


def test_an_address_without_a_language_is_missing_in_the_callers() -> None:
    answer = get("/nothing", Accept="text/html", Accept_Language="en")
    assert "<h1>Page not found</h1>" in answer["body"]


@pytest.mark.parametrize(
    ("former", "address"),
    [
        ("/docs?lang=en", "/en/docs"),
        ("/docs/keys?lang=en", "/en/docs/keys"),
        ("/en/docs/keys?lang=en", None),
        ("/pricing?lang=en", "/en/pricing"),
        ("/reference?lang=fr", None),
        ("/status/", "/status"),
        ("/en/", "/en"),
        ("/?lang=en", None),
    ],
)
def test_former_addresses_lead_to_the_pages_for_good(former: str, address: str | None) -> None:
    answer = get(former, path=f"/v1{former.partition('?')[0]}", Host="x.example", X_Forwarded_Proto="https")
    assert answer["statusCode"] == (308 if address else 200)
    assert answer["headers"].get("Location") == (address and f"https://x.example/v1{address}")


@pytest.mark.parametrize("own", ["/", "/docs", "/docs/keys", "/docs/reference/errors", "/pricing", "/status"])
@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_page_names_itself_in_both_languages(own: str, language: str) -> None:
    address = places.place(own, language)
    named = re.findall(r'hreflang="(pt-BR|en)" href="([^"]*)">\n', get(address)["body"])
    assert {tag: urljoin(address, link) for tag, link in named} == {
        "pt-BR": own,
        "en": places.place(own, "en"),
    }


def test_a_document_says_in_portuguese_that_it_is_in_english_alone() -> None:
    notice = "Esta página existe só em inglês."
    assert notice in get("/docs/reference/errors")["body"]
    assert '<article lang="en">' in get("/docs/reference/errors")["body"]
    assert notice not in get("/en/docs/reference/errors")["body"]


def test_a_guide_that_the_caller_has_is_not_sent_again() -> None:
    etag = get("/docs/keys")["headers"]["ETag"]
    assert get("/docs/keys", If_None_Match=etag)["statusCode"] == 304
    assert get("/en/docs/keys", If_None_Match=etag)["statusCode"] == 200


@pytest.mark.parametrize("page", ["/docs", "/en/docs", "/docs/keys", "/en/docs/keys"])
def test_a_guide_names_the_address_that_it_was_requested_at(page: str) -> None:
    body = get(page, path=f"/v1{page}", Host="x.example", X_Forwarded_Proto="https")["body"]
    assert f'<link rel="canonical" href="https://x.example/v1{page}">' in body
    assert 'rel="canonical"' not in get(page)["body"]


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
