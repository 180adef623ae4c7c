"""GET /, /en, /reference and /guides: the pages and the files they load; files at known places.

Only the standard library is imported, and what needs no more: a visitor waits for the cold start. Everything
is read and rendered once, at import, but for the guides, each of which is read when it is asked for, and what
names the address that was asked for. Files live under ``/static/<version>/…``, where the version is a digest
of them all: within a version they never change and may be kept for a year, and scripts that import one
another by relative names stay within it.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brskills_server.web import known_files
from brskills_server.web.pages.answering import IMMUTABLE, REVALIDATED, answer, base_of, not_found, place
from brskills_server.web.pages.documents import HTML, Document, files_of, version_of
from brskills_server.web.pages.filling import Filling, as_json
from brskills_server.web.pages.guides import Guides
from brskills_server.web.pages.standing import SiteConfig

__all__ = ["FILES", "GUIDES", "HERE", "KNOWN_FILES", "PAGES", "VERSION", "handler"]

HERE = Path(__file__).parent
STANDING = SiteConfig.of(os.environ)
FILES = files_of(HERE / "static")
VERSION = version_of(FILES)

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
# The viewer sets style attributes and draws icons from data: addresses; it loads nothing from elsewhere.
REFERENCE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)

# What an agent's program or library is given, by its file's name; tests run or read each as it is.
INSTALLS = {path.stem: path.read_text("utf-8").strip() for path in sorted((HERE / "installs").glob("*.txt"))}
GIVEN = {"static": f"static/{VERSION}", "installs": as_json(INSTALLS)}
PT, EN = (Filling(HERE, language, STANDING, GIVEN) for language in ("pt", "en"))

PAGES = {
    "/": Document(PT.fill("page.html"), HTML, PAGE_POLICY),
    "/en": Document(EN.fill("page.html"), HTML, PAGE_POLICY),
    "/reference": Document(PT.fill("reference.html"), HTML, REFERENCE_POLICY),
    "/reference?lang=en": Document(EN.fill("reference.html"), HTML, REFERENCE_POLICY),
}
if _word := STANDING.settings["OPENAI_APPS_CHALLENGE"]:  # ChatGPT's directory sees by it whose domain this is
    PAGES["/.well-known/openai-apps-challenge"] = Document(_word, "text/plain")
GUIDES = Guides(HERE / "guides", {"": PT, "?lang=en": EN}, STANDING.settings["PROJECT_URL"])
KNOWN_FILES: dict[str, Callable[[str], Document | None]] = {
    "/robots.txt": lambda base: Document(known_files.robots(base), "text/plain; charset=utf-8"),
    "/sitemap.xml": lambda base: Document(
        known_files.sitemap(base, GUIDES.names), "application/xml; charset=utf-8"
    ),
    known_files.SECURITY: lambda base: _security(base),
    # Browsers ask for it by themselves where no page names an icon, and go by the type that it comes with.
    "/favicon.ico": lambda _base: FILES["icon.svg"],
}


def _security(base: str) -> Document | None:
    text = known_files.security(base, STANDING.contacts, datetime.now(UTC))
    return None if text is None else Document(text, "text/plain; charset=utf-8")


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer one proxy event: a page, a file, or the problem that there is neither."""
    resource, parameters = event["resource"], event.get("pathParameters") or {}
    if resource == "/static/{file+}":
        return _static(event, parameters.get("file", ""))
    if resource in KNOWN_FILES:
        document = KNOWN_FILES[resource](base_of(event, resource))
        return answer(event, document, REVALIDATED) if document else not_found(event)
    path, asked = resource.replace("{name}", parameters.get("name", "")), _asked_for(event)
    name = path + asked if path + asked in PAGES else path
    if page := PAGES.get(name):
        return answer(event, place(page, name, event), REVALIDATED)
    if page := GUIDES.page(path, asked):
        return answer(event, place(page, path + asked, event), REVALIDATED)
    return not_found(event)


def _static(event: dict[str, Any], file: str) -> dict[str, Any]:
    version, _, name = file.partition("/")
    if name not in FILES:
        return not_found(event)
    # A page cached before a deployment may ask for a former version: it gets the present file, uncached.
    return answer(event, FILES[name], IMMUTABLE if version == VERSION else REVALIDATED)


def _asked_for(event: dict[str, Any]) -> str:
    """The query of the English pages where the address has it, of pages that are in two languages at one."""
    asked = (event.get("queryStringParameters") or {}).get("lang")
    return "?lang=en" if asked == "en" else ""
