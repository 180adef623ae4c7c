"""What a WebDAV folder holds, from its answer to ``PROPFIND``: a list by a server that is not trusted.

Of names only the last part is taken, and a name becomes a path only where it is one of the month's files
or a month's folder. Entities, which could expand without limit, are refused with the declaration that
they need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["ASKED", "Folder", "Listed", "read_listing"]

_DAV = "{DAV:}"
_DIGITS = 15  # of a size; more would not be a file's
ASKED = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop>'
    b"<d:resourcetype/><d:getcontentlength/><d:getetag/><d:getlastmodified/></d:prop></d:propfind>"
)


@dataclass(frozen=True, slots=True)
class Listed:
    """One version of a file: two are the same where all of this is.

    ``size`` in bytes; ``etag`` and ``modified`` as HTTP's headers have them, ``None`` where not told.
    """

    size: int
    etag: str | None
    modified: str | None

    @property
    def validator(self) -> str | None:
        """What an ``If-Range`` names this version by; ``None`` if nothing told is strong enough."""
        return self.modified if self.etag is None or self.etag.startswith("W/") else self.etag


@dataclass(frozen=True, slots=True)
class Folder:
    """The files in a folder, and the names of its folders."""

    files: Mapping[str, Listed]
    folders: frozenset[str]

    def sizes(self) -> dict[str, int]:
        """Bytes by name."""
        return {name: file.size for name, file in self.files.items()}


def read_listing(body: bytes) -> Folder:
    """Read a multi-status body (RFC 4918, 13); ``SnapshotError`` if it is not one."""
    try:
        text = body.decode("utf-8-sig")
        if "<!DOCTYPE" in text:
            raise ValueError("entities")  # noqa: TRY301 - the same answer as to all that is not a listing
        root = ElementTree.fromstring(text)  # noqa: S314 - neither entities nor, by its size, much else
        if root.tag != f"{_DAV}multistatus":
            raise ValueError("another document")  # noqa: TRY301
        return _folder([_entry(response) for response in root.iter(f"{_DAV}response")])
    except (ValueError, ElementTree.ParseError):
        raise SnapshotError("answers something that is not a WebDAV listing") from None


@dataclass(frozen=True, slots=True)
class _Entry:
    parent: str
    name: str
    file: Listed | None  # a folder has none


def _folder(entries: list[_Entry]) -> Folder:
    # The folder itself is listed too, with the shortest path; a server that goes deeper than was asked
    # must not mix the files of several months.
    if not entries:
        raise ValueError("not even the folder itself")
    itself = min(entries, key=lambda entry: len(entry.parent) + len(entry.name))
    inside = [entry for entry in entries if entry.parent == f"{itself.parent}/{itself.name}".lstrip("/")]
    return Folder(
        {entry.name: entry.file for entry in inside if entry.file},
        frozenset(entry.name for entry in inside if entry.file is None),
    )


def _entry(response: ElementTree.Element) -> _Entry:
    path = unquote(urlsplit(_told(response, "href") or "").path).strip("/")
    parent, _, name = path.rpartition("/")
    if response.find(f".//{_DAV}collection") is not None:
        return _Entry(parent, name, None)
    return _Entry(
        parent, name, Listed(_size(response), _told(response, "getetag"), _told(response, "getlastmodified"))
    )


def _size(response: ElementTree.Element) -> int:
    size = _told(response, "getcontentlength") or ""
    if not (size.isascii() and size.isdecimal() and len(size) <= _DIGITS):
        raise ValueError("a size")
    return int(size)


def _told(response: ElementTree.Element, name: str) -> str | None:
    """A property's text; the same property may also stand, empty, under those that were not found."""
    return next((text for one in response.iter(_DAV + name) if (text := (one.text or "").strip())), None)
