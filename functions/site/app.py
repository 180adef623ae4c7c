"""GET of every page and the files they load, of documents for programs, of plans and status.

A page has its Portuguese text at ``/x`` and its English one at ``/en/x``; both have the same relative links.

Static files have addresses ``/static/<version>/…``; the version is a digest of them all, so that browsers may
keep them for a year, and scripts that import each other by relative names stay within one version.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server import telemetry
from brskills_server.agents.document_routes import document_routes
from brskills_server.runtime.services import open_services
from brskills_server.runtime.settings import VERSION as RELEASE
from brskills_server.runtime.settings import Settings
from brskills_server.skills.service.plans import Deployment, plans
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web import known_files
from brskills_server.web.application import Application
from brskills_server.web.pages import places
from brskills_server.web.pages.clients import ClientFiles
from brskills_server.web.pages.documents import (
    HTML,
    IMMUTABLE,
    REVALIDATED,
    Document,
    address_values,
    base_of,
    moved,
    not_found,
    respond,
    static_files,
    version_of,
)
from brskills_server.web.pages.guides import Guides
from brskills_server.web.pages.templates import environment
from brskills_server.web.request import Request
from brskills_server.web.status_routes import status_routes

HERE = Path(__file__).parent
SETTINGS = Settings.from_environment()
FEATURES = SETTINGS.features
MAIL = f"mailto:{SETTINGS.contact_email}" if FEATURES.mail else ""
CONTACTS = [address for address in (MAIL, SETTINGS.support_url) if address]
SHOWN = (
    "support_url", "privacy_url", "terms_url", "sla_url", "contact_email", "operator_name",
    "pro_price_brl", "demo_monthly_limit",
)  # fmt: skip
FILES = static_files(HERE / "static") | {
    name: file for name, file in static_files(HERE / "guides").items() if name.startswith("search-")
}
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
    "/reference": Page("reference.html", REFERENCE_POLICY),
    "/pricing": Page("pricing.html"),
    "/status": Page("status.html"),
}
KNOWN_FILES: dict[str, Callable[[str], Document | None]] = {
    "/robots.txt": lambda base: Document(known_files.robots(base), "text/plain; charset=utf-8"),
    "/sitemap.xml": lambda base: Document(
        known_files.sitemap(base, [*PAGES, *GUIDES.paths]), "application/xml; charset=utf-8"
    ),
    known_files.SECURITY: lambda base: _security(base),
    "/changelog.atom": lambda base: _feed(base),
    # Browsers request it where no page names an icon, and go by its media type.
    "/favicon.ico": lambda _base: FILES["icon.svg"],
    # ChatGPT's directory verifies the owner of a domain by it.
    "/.well-known/openai-apps-challenge": lambda _base: _challenge(),
}


services = open_services()
documents = Application(
    "site",
    document_routes(services, HERE / "llms.txt") | status_routes(services),
    support_contact=services.settings.support_contact,
)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """Answer a proxy event with a document, the status, a page, a file, or 404."""
    if ("GET", event["resource"]) in documents.routes:
        return documents(event, context)
    resource, parameters = event["resource"], event.get("pathParameters") or {}
    if resource == "/static/{file+}":
        return _static(event, parameters.get("file", ""))
    path = resource
    for name, value in parameters.items():
        path = path.replace(f"{{{name}}}", value).replace(f"{{{name}+}}", value)
    if resource == "/clients/{file}":
        document = CLIENTS.document(parameters.get("file", ""), base_of(event, path))
    elif resource in KNOWN_FILES:
        document = KNOWN_FILES[resource](base_of(event, path))
    else:
        return _page(event, path)
    return respond(event, document, REVALIDATED) if document else _missing(event, path)


def _page(event: dict[str, Any], path: str) -> dict[str, Any]:
    """Return a page at its own address; a permanent redirect to it from former addresses and with a slash."""
    language, own = places.parted(path)
    own = own.rstrip("/") or "/"
    if own not in PAGES and own not in GUIDES.paths:
        return _missing(event, path)
    if own != "/" and (event.get("queryStringParameters") or {}).get("lang") == "en":
        language = "en"
    place = places.place(own, language)
    if place != path:
        return moved(event, base_of(event, path) + place)
    return respond(
        event, render(own, language, base_of(event, path), **address_values(event, path)), REVALIDATED
    )


@lru_cache(maxsize=64)
def render(own: str, language: str, service: str, base_href: str, address: str) -> Document:
    """Return a page. Rendering takes 2 ms, and most requests are for one host."""
    values = {
        "base_href": base_href,
        "address": address,
        "service": service if service.startswith("http") else "http://127.0.0.1:8000",
        "own_page": own.split("/")[1],
        **places.links(own, language),
    }
    page = PAGES.get(own)
    if page:
        body = TEMPLATES[language].get_template(page.template).render(values)
        return Document(body, HTML, page.policy)
    return Document(GUIDES.render(own, language, TEMPLATES[language], values), HTML, PAGE_POLICY)


def _missing(event: dict[str, Any], path: str) -> dict[str, Any]:
    """Return 404: a page to browsers, in the address's language or theirs; a problem to programs."""
    telemetry.count(REFUSALS, "not_found")
    request = Request(event)
    accepted = request.accepted_of(["application/problem+json", "text/html"])
    if path.startswith("/api/") or accepted != "text/html":
        return not_found(event)
    language = "en" if places.parted(path)[0] == "en" else request.language
    root = "../" * (path.count("/") - 1)
    values = {
        "base_href": "", "address": "", "own_page": "", "alternates": {}, "root": root,
        "other_href": root + ("./" if language == "en" else "en"),
    }  # fmt: skip
    body = TEMPLATES[language].get_template("missing.html").render(values)
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
    return Document(file.read_text("utf-8").replace("{base}", base), "application/atom+xml; charset=utf-8")


def _challenge() -> Document | None:
    token = SETTINGS.openai_apps_challenge
    return Document(token, "text/plain") if token else None
