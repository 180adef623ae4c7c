"""GET /, /en, /docs, /reference, /pricing and /status, the files they load, and well-known files.

Static files have addresses ``/static/<version>/…``; the version is a digest of them all, so that browsers may
keep them for a year, and scripts that import each other by relative names stay within one version.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.runtime.settings import VERSION as RELEASE
from brskills_server.runtime.settings import Settings
from brskills_server.skills.service.plans import Deployment, plans
from brskills_server.web import known_files
from brskills_server.web.pages.clients import ClientFiles
from brskills_server.web.pages.documents import (
    HTML,
    IMMUTABLE,
    REVALIDATED,
    Document,
    address_values,
    base_of,
    not_found,
    respond,
    static_files,
    version_of,
)
from brskills_server.web.pages.guides import Guides
from brskills_server.web.pages.templates import environment

HERE = Path(__file__).parent
SETTINGS = Settings.from_environment()
FEATURES = SETTINGS.features
MAIL = f"mailto:{SETTINGS.contact_email}" if FEATURES.mail else ""
CONTACTS = [address for address in (MAIL, SETTINGS.support_url) if address]
SHOWN = (
    "project_url", "support_url", "privacy_url", "terms_url", "sla_url", "contact_email", "operator_name",
    "pro_price_brl", "demo_monthly_limit",
)  # fmt: skip
FILES = static_files(HERE / "static") | static_files(HERE / "guides")
VERSION = version_of(FILES)

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
# Swagger UI sets style attributes and draws icons from data: addresses; it loads nothing from elsewhere.
REFERENCE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)

# Snippets to install the tools in an agent's program or library, by file name. Tests run or parse each.
INSTALLS = {path.stem: path.read_text("utf-8").strip() for path in sorted((HERE / "installs").glob("*.txt"))}
CLIENTS = ClientFiles(HERE / "clients")
OFFERED = Deployment(demo_limit=0, sold=FEATURES.sold, render=FEATURES.render)  # no row for the demo key
GUIDES = Guides(HERE / "guide_list.json", HERE / "guides")
ENGLISH = "?lang=en"
"""The query of English pages, but for ``/en``."""


TEMPLATES = {
    language: environment(
        language,
        {
            **{name: getattr(SETTINGS, name) for name in SHOWN},
            "version": RELEASE,
            "plans": plans(language, OFFERED)["planos"],
            "demo_api_key": SETTINGS.demo_api_key if FEATURES.demo else "",
            **FEATURES._asdict(),
            "contact": FEATURES.contact,
            "contact_url": next(iter(CONTACTS), ""),
            "language": language,
            "static": f"static/{VERSION}",
            "installs": INSTALLS,
            "root": "",
            "own_page": "",
        },
        HERE / "templates",
        HERE,
    )
    for language in ("pt", "en")
}


class Page(NamedTuple):
    """A page without parameters: its template and policy."""

    template: str
    policy: str = PAGE_POLICY


PAGES = {
    "/": Page("landing.html"),
    "/en": Page("landing.html"),
    "/reference": Page("reference.html", REFERENCE_POLICY),
    "/pricing": Page("pricing.html"),
    "/status": Page("status.html"),
}
KNOWN_FILES: dict[str, Callable[[str], Document | None]] = {
    "/robots.txt": lambda base: Document(known_files.robots(base), "text/plain; charset=utf-8"),
    "/sitemap.xml": lambda base: Document(
        known_files.sitemap(base, GUIDES.names), "application/xml; charset=utf-8"
    ),
    known_files.SECURITY: lambda base: _security(base),
    "/changelog.atom": lambda base: _feed(base),
    # Browsers request it where no page names an icon, and go by its media type.
    "/favicon.ico": lambda _base: FILES["icon.svg"],
    # ChatGPT's directory verifies the owner of a domain by it.
    "/.well-known/openai-apps-challenge": lambda _base: _challenge(),
}


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer a proxy event with a page, a file or the problem ``not_found``."""
    resource, parameters = event["resource"], event.get("pathParameters") or {}
    if resource == "/static/{file+}":
        return _static(event, parameters.get("file", ""))
    if resource == "/clients/{file}":
        file = parameters.get("file", "")
        document = CLIENTS.document(file, base_of(event, f"/clients/{file}"))
        return respond(event, document, REVALIDATED) if document else not_found(event)
    if resource in KNOWN_FILES:
        document = KNOWN_FILES[resource](base_of(event, resource))
    else:
        document = _page(event, resource.replace("{name}", parameters.get("name", "")))
        if document is None and resource == "/docs/{name}":
            return _no_guide(event)
    return respond(event, document, REVALIDATED) if document else not_found(event)


def _page(event: dict[str, Any], path: str) -> Document | None:
    query = _query(event) if path not in {"/", "/en"} else ""
    return render(path, query, base_of(event, path), **address_values(event, path, query))


@lru_cache(maxsize=32)
def render(path: str, query: str, service: str, base_href: str, address: str) -> Document | None:
    """Return a page or guide. Rendering takes 2 ms, and most requests are for one host."""
    language = "en" if query or path == "/en" else "pt"
    name = path.rpartition("/")[2]
    values = {
        "base_href": base_href,
        "address": address,
        "service": service if service.startswith("http") else "http://127.0.0.1:8000",
        "query": query,
        "own_page": path.split("/")[1],
        "other_href": {"/": "en", "/en": "./"}.get(path, name if query else f"{name}{ENGLISH}"),
    }
    if page := PAGES.get(path):
        return Document(TEMPLATES[language].get_template(page.template).render(values), HTML, page.policy)
    body = GUIDES.render(path, language, TEMPLATES[language], values)
    return None if body is None else Document(body, HTML, PAGE_POLICY)


def _query(event: dict[str, Any]) -> str:
    is_english = (event.get("queryStringParameters") or {}).get("lang") == "en"
    return ENGLISH if is_english else ""


def _no_guide(event: dict[str, Any]) -> dict[str, Any]:
    """Return 404: a page to browsers, a problem to programs."""
    from brskills_server.web.request import Request  # loaded here alone, as the problems are

    if Request(event).accepted_of(["application/problem+json", "text/html"]) != "text/html":
        return not_found(event)
    query = _query(event)
    other = f"../docs{'' if query else ENGLISH}"
    values = {"base_href": "", "address": "", "root": "../", "own_page": "docs", "other_href": other}
    body = TEMPLATES["en" if query else "pt"].get_template("missing.html").render(values)
    return {**respond(event, Document(body, HTML, PAGE_POLICY), "no-store"), "statusCode": 404}


def _static(event: dict[str, Any], file: str) -> dict[str, Any]:
    version, _, name = file.partition("/")
    if name not in FILES:
        return not_found(event)
    # A page cached before a deployment may request an older version: it gets the current file, uncached.
    return respond(event, FILES[name], IMMUTABLE if version == VERSION else REVALIDATED)


def _security(base: str) -> Document | None:
    text = known_files.security(base, CONTACTS, datetime.now(UTC))
    return None if text is None else Document(text, "text/plain; charset=utf-8")


def _feed(base: str) -> Document | None:
    file = HERE / "guides/changelog.atom"
    if not file.exists():
        return None
    text = file.read_text("utf-8").replace("{base}", base)
    text = text.replace("{project}", escape(SETTINGS.project_url.rstrip("/")))
    return Document(text, "application/atom+xml; charset=utf-8")


def _challenge() -> Document | None:
    token = SETTINGS.openai_apps_challenge
    return Document(token, "text/plain") if token else None
