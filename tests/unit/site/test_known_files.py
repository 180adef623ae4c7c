"""robots.txt, sitemap.xml, security.txt and the icon."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.gateway.template import load
from brskills_server.web.known_files import robots, security, sitemap
from functions.site.app import FILES, GUIDES, KNOWN_FILES, PAGES
from tests.unit.site.serving import event, get, site_with

BASE = "https://x.example/v1"
HTTPS = {"Host": "x.example", "X_Forwarded_Proto": "https"}
MAIL, HELP = "ajuda@brskills.example", "https://brskills.example/ajuda"
SECURITY = "/.well-known/security.txt"
NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)


def test_each_is_a_route_that_also_takes_head() -> None:
    served = {(route.method, route.resource) for route in load().routes if route.function == "site"}
    assert served >= {
        (method, path) for path in (*KNOWN_FILES, "/", "/{page+}") for method in ("GET", "HEAD")
    }


def test_robots_txt_allows_everything_and_names_the_sitemap() -> None:
    answer = get("/robots.txt", path="/robots.txt", **HTTPS)
    assert answer["headers"]["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["body"] == "User-agent: *\nAllow: /\n\nSitemap: https://x.example/sitemap.xml\n"
    assert robots(BASE).splitlines()[-1] == f"Sitemap: {BASE}/sitemap.xml"


def test_the_sitemap_has_every_page_in_both_languages() -> None:
    answer = get("/sitemap.xml", path="/v1/sitemap.xml", **HTTPS)
    assert answer["headers"]["Content-Type"] == "application/xml; charset=utf-8"
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    found = {
        entry.findtext("s:loc", namespaces=names): {
            link.attrib["hreflang"]: link.attrib["href"] for link in entry.findall("x:link", names)
        }
        for entry in ElementTree.fromstring(answer["body"]).findall("s:url", names)  # noqa: S314, we wrote it
    }
    pages = [("/", "/en"), *((path, f"/en{path}") for path in [*PAGES, *GUIDES.paths] if path != "/")]
    assert found == {
        f"{BASE}{path}": {"pt-BR": f"{BASE}{pt}", "en": f"{BASE}{en}"}
        for pt, en in pages
        for path in (pt, en)
    }


def test_the_sitemap_has_the_given_guides() -> None:
    assert f"<loc>{BASE}/en/docs/keys</loc>" in sitemap(BASE, ["/docs/keys"])


@given(st.from_regex(r"[ -~]{0,30}", fullmatch=True))
def test_a_sitemap_is_xml_whatever_the_base(base: str) -> None:
    ElementTree.fromstring(sitemap(base, ["/docs/keys"]))  # noqa: S314, we wrote it


@pytest.mark.parametrize(
    ("settings", "contacts"),
    [
        ({"CONTACT_EMAIL": MAIL}, [f"mailto:{MAIL}"]),
        ({"SUPPORT_URL": HELP}, [HELP]),
        ({"CONTACT_EMAIL": MAIL, "SUPPORT_URL": HELP}, [f"mailto:{MAIL}", HELP]),
        ({"CONTACT_EMAIL": MAIL, "SUPPORT_URL": "http://brskills.example"}, [f"mailto:{MAIL}"]),
    ],
)
def test_security_txt_has_the_contacts(settings: dict[str, str], contacts: list[str]) -> None:
    answer = site_with(settings).handler(event(SECURITY, **HTTPS), None)
    assert (answer["statusCode"], answer["headers"]["Content-Type"]) == (200, "text/plain; charset=utf-8")
    fields = [line.split(": ", 1) for line in answer["body"].splitlines()]
    assert [value for name, value in fields if name == "Contact"] == contacts
    others = {name: value for name, value in fields if name != "Contact"}
    expires = datetime.fromisoformat(others.pop("Expires"))
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)
    assert others == {"Preferred-Languages": "pt, en", "Canonical": f"https://x.example{SECURITY}"}


@pytest.mark.parametrize("settings", [{}, {"SUPPORT_URL": "http://brskills.example"}])
def test_without_a_contact_there_is_no_security_txt(settings: dict[str, str]) -> None:
    answer = site_with(settings).handler(event(SECURITY, **HTTPS), None)
    assert answer["statusCode"] == 404
    assert '"code":"not_found"' in answer["body"]


def test_security_txt_is_the_same_all_day_and_names_only_https_addresses() -> None:
    text = security("http://127.0.0.1:8000", [f"mailto:{MAIL}"], NOW)
    assert text == security("http://127.0.0.1:8000", [f"mailto:{MAIL}"], NOW + timedelta(hours=14))
    assert text != security("http://127.0.0.1:8000", [f"mailto:{MAIL}"], NOW + timedelta(hours=15))
    assert not re.search("Canonical|http:", text)


def test_the_favicon_is_the_pages_icon() -> None:
    answer = get("/favicon.ico")
    assert answer["headers"]["Content-Type"] == "image/svg+xml"
    assert answer["body"] == FILES["icon.svg"].body
