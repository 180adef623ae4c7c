"""Well-known files: ``robots.txt``, ``sitemap.xml`` and ``security.txt``; ``base`` as ``url.base_at``."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from html import escape

from brskills_server.web.pages.places import place

SECURITY = "/.well-known/security.txt"
_VALID_FOR = timedelta(days=180)  # RFC 9116 §2.5.5 advises less than a year


def robots(base: str) -> str:
    """Return ``robots.txt`` (RFC 9309): everything may be read."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {base}/sitemap.xml\n"


def sitemap(base: str, paths: Sequence[str]) -> str:
    """Return the sitemap (sitemaps.org), with both languages of each page; ``paths`` in Portuguese."""
    base = escape(base)
    pages = [(path, place(path, "en")) for path in paths]
    entries = [_entry(base, page, address) for page in pages for address in page]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' + "\n".join(entries) + "\n</urlset>\n"
    )


def _entry(base: str, page: tuple[str, str], address: str) -> str:
    languages = "".join(
        f'<xhtml:link rel="alternate" hreflang="{language}" href="{base}{path}"/>'
        for language, path in zip(("pt-BR", "en"), page, strict=True)
    )
    return f"<url><loc>{base}{address}</loc>{languages}</url>"


def security(base: str, contacts: Sequence[str], now: datetime) -> str | None:
    """Return ``security.txt`` (RFC 9116); ``None`` without a contact.

    ``contacts``: addresses (``mailto:…``, ``https://…``); others are left out, as web addresses must be
    ``https`` there. ``now`` is aware; the text is the same all day.
    """
    named = [contact for contact in contacts if contact.startswith(("mailto:", "https://"))]
    if not named:
        return None
    expires = (now.astimezone(UTC) + _VALID_FOR).strftime("%Y-%m-%dT00:00:00Z")
    lines = [f"Contact: {contact}" for contact in named]
    lines += [f"Expires: {expires}", "Preferred-Languages: pt, en"]
    if base.startswith("https://"):
        lines.append(f"Canonical: {base}{SECURITY}")
    return "\n".join(lines) + "\n"
