"""An Atom feed (RFC 4287) of the releases; ``{base}`` and ``{project}`` are filled in when it is served."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from markdown_it import MarkdownIt

from guides.article import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
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


def feed() -> str:
    """Return the feed; identifiers are the same at every service, addresses are this one's."""
    Xml.register_namespace("", _ATOM)
    root = Xml.Element(f"{{{_ATOM}}}feed")
    known = releases()
    _add(root, "id", "urn:brskills:changelog")
    _add(root, "title", "brskills")
    _add(root, "updated", _instant(known[0].day))
    _add(root, "link", rel="self", type="application/atom+xml", href="{base}/changelog.atom")
    _add(root, "link", rel="alternate", type="text/html", href="{base}/docs")
    _add(_add(root, "author"), "name", "brskills")
    for entry in _entries(known):
        root.append(entry)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _entries(known: list[Release]) -> Iterator[Xml.Element]:
    for release in known:
        entry = Xml.Element(f"{{{_ATOM}}}entry")
        _add(entry, "id", f"urn:brskills:release:{release.version}")
        _add(entry, "title", f"brskills {release.version}")
        _add(entry, "updated", _instant(release.day))
        _add(entry, "link", rel="alternate", type="text/html", href="{base}/docs")
        changes = _RELATIVE.sub("](PROJECT/blob/main/\\1)", release.changes)
        _add(
            entry,
            "content",
            MarkdownIt("commonmark").render(changes).replace("PROJECT/", "{project}/"),
            type="html",
        )
        yield entry


def _instant(day: str) -> str:
    return f"{day}T12:00:00Z"


def _add(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    added = Xml.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    added.text = text or None
    return added
