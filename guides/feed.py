"""An Atom feed (RFC 4287) of the releases; ``{base}`` is filled in when it is served."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from markdown_it import MarkdownIt

from guides.article import ROOT, address_of

CHANGELOG = ROOT / "CHANGELOG.md"
_PAGE = "{base}/en/docs/changelog"
_ATOM = "http://www.w3.org/2005/Atom"
_RELEASE = re.compile(
    r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)
_RELATIVE = re.compile(r"\]\((?!https?:)([^)]+)\)")


class Release(NamedTuple):
    """A dated release; ``changes`` in Markdown."""

    version: str
    day: str
    changes: str


def releases() -> list[Release]:
    """Return the releases, the newest first."""
    return [Release(*found.groups()) for found in _RELEASE.finditer(CHANGELOG.read_text("utf-8"))]


def feed(pages: Mapping[Path, str]) -> str:
    """Return the feed: identifiers are the same at every service, addresses are this one's.

    ``pages`` has the name of each file with a page.
    """
    Xml.register_namespace("", _ATOM)
    root = Xml.Element(f"{{{_ATOM}}}feed")
    known = releases()
    _add(root, "id", "urn:brskills:changelog")
    _add(root, "title", "brskills")
    _add(root, "updated", _instant(known[0].day))
    _add(root, "link", rel="self", type="application/atom+xml", href="{base}/changelog.atom")
    _add(root, "link", rel="alternate", type="text/html", href=_PAGE)
    _add(_add(root, "author"), "name", "brskills")
    for entry in _entries(known, pages):
        root.append(entry)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _entries(known: list[Release], pages: Mapping[Path, str]) -> Iterator[Xml.Element]:
    for release in known:
        entry = Xml.Element(f"{{{_ATOM}}}entry")
        _add(entry, "id", f"urn:brskills:release:{release.version}")
        _add(entry, "title", f"brskills {release.version}")
        _add(entry, "updated", _instant(release.day))
        _add(entry, "link", rel="alternate", type="text/html", href=_PAGE)
        changes = _RELATIVE.sub(
            lambda link: f"](urn:docs/{address_of(link[1], CHANGELOG, pages) or 'changelog'})",
            release.changes,
        )
        html = MarkdownIt("commonmark").render(changes).replace("urn:docs/", "{base}/en/docs/")
        _add(entry, "content", html, type="html")
        yield entry


def _instant(day: str) -> str:
    return f"{day}T12:00:00Z"


def _add(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    added = Xml.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    added.text = text or None
    return added
