"""Reading a WebDAV folder's content from its untrusted answer to ``PROPFIND``.

Only the last part of each path is taken, and becomes a path only if it is one of the month's files or a
month's folder. Documents with entities, which could expand without limit, are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from brskills_server.snapshot_builder.errors import SnapshotError

PROPFIND_BODY = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop>'
    b"<d:resourcetype/><d:getcontentlength/><d:getetag/><d:getlastmodified/></d:prop></d:propfind>"
)
_DAV = "{DAV:}"
_MAX_DIGITS = 15  # of a size


@dataclass(frozen=True, slots=True)
class Listed:
    """One version of a file. ``size`` in bytes; ``etag`` and ``modified`` as in HTTP headers, or `None`."""

    size: int
    etag: str | None
    modified: str | None

    @property
    def validator(self) -> str | None:
        """Return the value of ``If-Range`` for this version; `None` without a strong tag or a date."""
        return self.modified if self.etag is None or self.etag.startswith("W/") else self.etag


@dataclass(frozen=True, slots=True)
class Folder:
    """The files in a folder by name, and the names of its folders."""

    files: Mapping[str, Listed]
    folders: frozenset[str]


def read_listing(body: bytes) -> Folder:
    """Return the folder of a multi-status body (RFC 4918, 13). Raise `SnapshotError` if it is not one."""
    try:
        text = body.decode("utf-8-sig")
        if "<!DOCTYPE" in text:
            raise ValueError("entities")  # noqa: TRY301
        root = ElementTree.fromstring(text)  # noqa: S314 - neither entities nor, by its size, much else
        if root.tag != f"{_DAV}multistatus":
            raise ValueError("another document")  # noqa: TRY301
        return _folder([_entry(response) for response in root.iter(f"{_DAV}response")])
    except (ValueError, ElementTree.ParseError):
        raise SnapshotError("answers something that is not a WebDAV listing") from None


class _Entry(NamedTuple):
    parent: str
    name: str
    file: Listed | None  # `None` for a folder


def _folder(entries: list[_Entry]) -> Folder:
    # The folder itself is listed too, with the shortest path. Entries of a server that goes deeper than
    # requested are dropped, or they would mix the files of several months.
    if not entries:
        raise ValueError("no entry")
    itself = min(entries, key=lambda entry: len(entry.parent) + len(entry.name))
    inside = [entry for entry in entries if entry.parent == f"{itself.parent}/{itself.name}".lstrip("/")]
    return Folder(
        {entry.name: entry.file for entry in inside if entry.file},
        frozenset(entry.name for entry in inside if entry.file is None),
    )


def _entry(response: ElementTree.Element) -> _Entry:
    path = unquote(urlsplit(_text(response, "href") or "").path).strip("/")
    parent, _, name = path.rpartition("/")
    if response.find(f".//{_DAV}collection") is not None:
        return _Entry(parent, name, None)
    size = _text(response, "getcontentlength") or ""
    if not (size.isascii() and size.isdecimal() and len(size) <= _MAX_DIGITS):
        raise ValueError("a size")
    listed = Listed(int(size), _text(response, "getetag"), _text(response, "getlastmodified"))
    return _Entry(parent, name, listed)


def _text(response: ElementTree.Element, name: str) -> str | None:
    """Return a property's text; the same property may also occur, empty, among those not found."""
    return next((text for one in response.iter(_DAV + name) if (text := (one.text or "").strip())), None)
