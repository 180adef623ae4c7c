"""GET /, /en and /reference: the page, the API reference and the files they load; files at known places.

Only the standard library is imported, and what needs no more: a visitor waits for the cold start. Everything
is read and rendered once, at import, but for what names the address that was asked for. Files live under
``/static/<version>/…``, where the version is a digest of them all: within a version they never change and may
be kept for a year, and scripts that import one another by relative names stay within it.
"""

import hashlib
import html
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from web import known_files
from web.url import base_at
from wiring.offers import Offers

__all__ = ["DEFAULTS", "FILES", "PAGES", "VERSION", "Document", "handler"]

HERE = Path(__file__).parent
# What a deployment may set, and its defaults: those of ``wiring.settings``, which is slow to import (a test
# compares the two).
DEFAULTS = {
    "DEMO_API_KEY": "brsk_demo00000000000000000000000000001gbZMd",
    "DEMO_MONTHLY_LIMIT": "20",
    "SIGNUPS_PER_DAY": "5",
    "SIGNUPS_PER_MONTH": "20",
    "PROJECT_URL": "https://github.com/brskills/brskills",
    "SUPPORT_URL": "",
    "PRIVACY_URL": "",
    "TERMS_URL": "",
    "SLA_URL": "",
    "CONTACT_EMAIL": "",
    "STRIPE_PRICE_PRO": "",
    "OPENAI_APPS_CHALLENGE": "",
}

_SETTINGS = {name: os.environ.get(name, "").strip() or default for name, default in DEFAULTS.items()}
_OFFERS = Offers.of(
    *(int(_SETTINGS[name]) for name in ("SIGNUPS_PER_DAY", "SIGNUPS_PER_MONTH", "DEMO_MONTHLY_LIMIT")),
    price=_SETTINGS["STRIPE_PRICE_PRO"],
    contact_email=_SETTINGS["CONTACT_EMAIL"],
    support_url=_SETTINGS["SUPPORT_URL"],
    sla_url=_SETTINGS["SLA_URL"],
)
_CONTACTS = [
    *([f"mailto:{_SETTINGS['CONTACT_EMAIL']}"] if _OFFERS.mail else []),
    *([_SETTINGS["SUPPORT_URL"]] if _OFFERS.help_page else []),
]
if not _OFFERS.demo:
    _SETTINGS["DEMO_API_KEY"] = ""

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
REVALIDATED = "no-cache"
IMMUTABLE = "public, max-age=31536000, immutable"

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
EVERYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Document:
    """A text to send, and the validator by which a browser asks whether it still holds."""

    body: str
    media_type: str
    policy: str = "default-src 'none'"

    @cached_property
    def etag(self) -> str:
        """A strong validator: the digest of the body."""
        return f'"{hashlib.sha256(self.body.encode()).hexdigest()[:20]}"'


def _files() -> dict[str, Document]:
    root = HERE / "static"
    return {
        path.relative_to(root).as_posix(): Document(path.read_text("utf-8"), MEDIA_TYPES[path.suffix])
        for path in sorted(root.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }


FILES = _files()
VERSION = hashlib.sha256(
    "".join(f"{name}\0{file.etag}\n" for name, file in FILES.items()).encode()
).hexdigest()[:12]


# What an agent's program or library is given, by its file's name; tests run or read each as it is.
INSTALLS = {path.stem: path.read_text("utf-8").strip() for path in sorted((HERE / "installs").glob("*.txt"))}


def _page(template: str, language: str, policy: str) -> Document:
    texts = json.loads(_OFFERS.choose((HERE / "texts" / f"{language}.json").read_text("utf-8")))
    script = _as_json(texts["script"])
    settings = {name.lower(): html.escape(value) for name, value in _SETTINGS.items()}
    values = {
        **texts["page"],
        "static": f"static/{VERSION}",
        "script_texts": script,
        "installs": _as_json(INSTALLS),
        **settings,
        "contact_url": html.escape(next(iter(_CONTACTS), "")),
        "footer_own_pages": _own_pages(settings, texts["page"], "terms", "privacy", "sla", "support")
        + _mail(settings),
        "whom_to_ask": _own_pages(settings, texts["page"], "support") + _mail(settings),
    }
    source = _OFFERS.choose((HERE / template).read_text("utf-8"))
    body = re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], source)
    body = body.replace("<li></li>", "")  # what a plan would promise, and nothing here makes true
    return Document(body, "text/html; charset=utf-8", policy)


def _as_json(content: dict[str, str]) -> str:
    """JSON that may stand in an element of a page."""
    return json.dumps(content, ensure_ascii=False).replace("<", "\\u003c")


def _own_pages(settings: dict[str, str], texts: dict[str, str], *names: str) -> str:
    """Links to the operator's own pages, of those that there are."""
    named = [(settings[f"{name}_url"], texts[f"footer_{name}"]) for name in names]
    return "".join(f' <a href="{url}">{text}</a>' for url, text in named if url)


def _mail(settings: dict[str, str]) -> str:
    address = settings["contact_email"]
    return f' <a href="mailto:{address}">{address}</a>' if address else ""


PAGES = {
    "/": _page("page.html", "pt", PAGE_POLICY),
    "/en": _page("page.html", "en", PAGE_POLICY),
    "/reference": _page("reference.html", "pt", REFERENCE_POLICY),
    "/reference?lang=en": _page("reference.html", "en", REFERENCE_POLICY),
}
if _SETTINGS["OPENAI_APPS_CHALLENGE"]:  # the word by which ChatGPT's directory sees whose domain this is
    PAGES["/.well-known/openai-apps-challenge"] = Document(_SETTINGS["OPENAI_APPS_CHALLENGE"], "text/plain")
KNOWN_FILES: dict[str, Callable[[str], Document | None]] = {
    "/robots.txt": lambda base: Document(known_files.robots(base), "text/plain; charset=utf-8"),
    "/sitemap.xml": lambda base: Document(known_files.sitemap(base), "application/xml; charset=utf-8"),
    known_files.SECURITY: lambda base: _security(base),
    # Browsers ask for it by themselves where no page names an icon, and go by the type that it comes with.
    "/favicon.ico": lambda _base: FILES["icon.svg"],
}


def _security(base: str) -> Document | None:
    text = known_files.security(base, _CONTACTS, datetime.now(UTC))
    return None if text is None else Document(text, "text/plain; charset=utf-8")


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer one proxy event: a page, a file, or the problem that there is neither."""
    resource = event["resource"]
    if resource in PAGES:
        return _answer(event, _placed(_asked_for(event), event), REVALIDATED)
    if resource in KNOWN_FILES:
        document = KNOWN_FILES[resource](_base(event))
        return _answer(event, document, REVALIDATED) if document else _not_found(event)
    version, _, name = (event.get("pathParameters") or {}).get("file", "").partition("/")
    if name not in FILES:
        return _not_found(event)
    # A page cached before a deployment may ask for a former version: it gets the present file, uncached.
    return _answer(event, FILES[name], IMMUTABLE if version == VERSION else REVALIDATED)


def _asked_for(event: dict[str, Any]) -> str:
    """The name of the page in ``PAGES``: with its language where the address asks for one that it has."""
    resource, query = event["resource"], event.get("queryStringParameters") or {}
    named = f"{resource}?lang={query.get('lang')}"
    return named if named in PAGES else resource


def _placed(name: str, event: dict[str, Any]) -> Document:
    """The page, told where it stands: its own address, as far as we know it, and where its links begin.

    Links are relative, so that a stage or a proxy's prefix may stand before them; seen from a stage's name
    without the slash (``/v1``) they would miss it.
    """
    page, address = PAGES[name], str((event.get("requestContext") or {}).get("path") or "/")
    told = ""
    if name == "/" and not address.endswith("/"):
        told = f'<base href="{html.escape(address.rpartition("/")[2])}/">'
    own = html.escape(_base(event) + name)
    if own.startswith("http"):
        told += f'<link rel="canonical" href="{own}"><meta property="og:url" content="{own}">'
    body = page.body.replace("<head>", f"<head>{told}", 1)
    return Document(body, page.media_type, page.policy)


def _base(event: dict[str, Any]) -> str:
    return base_at(event.get("requestContext") or {}, _headers(event), event["resource"])


def _headers(event: dict[str, Any]) -> dict[str, str]:
    return {name.lower(): value for name, value in (event.get("headers") or {}).items()}


def _answer(event: dict[str, Any], document: Document, cache_control: str) -> dict[str, Any]:
    headers = {
        **EVERYWHERE,
        "Cache-Control": cache_control,
        "Content-Security-Policy": document.policy,
        "ETag": document.etag,
        # A page names the address that it was asked for at: no cache may show it at another.
        **({"Vary": "Host"} if cache_control == REVALIDATED else {}),
        "X-Request-Id": str((event.get("requestContext") or {}).get("requestId") or ""),
    }
    if _known(event, document.etag):
        return {"statusCode": 304, "headers": headers, "body": "", "isBase64Encoded": False}
    headers["Content-Type"] = document.media_type
    return {"statusCode": 200, "headers": headers, "body": document.body, "isBase64Encoded": False}


def _known(event: dict[str, Any], etag: str) -> bool:
    """Whether the caller has it already: weak comparison (RFC 9110 §13.1.2)."""
    tags = {tag.strip().removeprefix("W/") for tag in _headers(event).get("if-none-match", "").split(",")}
    return "*" in tags or etag in tags


def _not_found(event: dict[str, Any]) -> dict[str, Any]:
    # Problems need the layer's slow imports; no page links here.
    from web.problems import Problem, render
    from web.request import Request

    request = Request(event)
    return render(Problem("not_found"), request.id, request.language).as_proxy_result(request.id)
