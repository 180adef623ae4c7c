"""What is sent: texts with their validators, and the files that pages load."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

__all__ = ["HTML", "MEDIA_TYPES", "Document", "files_of", "version_of"]

HTML = "text/html; charset=utf-8"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Document:
    """A text to send, and the validator by which a browser asks whether it still holds."""

    # By hand: importing dataclasses would take a seventh of the function's start.
    def __init__(self, body: str, media_type: str, policy: str = "default-src 'none'") -> None:
        self.body = body
        self.media_type = media_type
        self.policy = policy

    @cached_property
    def etag(self) -> str:
        """A strong validator: the digest of the body."""
        return f'"{hashlib.sha256(self.body.encode()).hexdigest()[:20]}"'


def files_of(root: Path) -> dict[str, Document]:
    """The files below a folder that pages load, by their path in it."""
    return {
        path.relative_to(root).as_posix(): Document(path.read_text("utf-8"), MEDIA_TYPES[path.suffix])
        for path in sorted(root.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }


def version_of(files: Mapping[str, Document]) -> str:
    """A digest of them all: another file is another version."""
    told = "".join(f"{name}\0{file.etag}\n" for name, file in files.items())
    return hashlib.sha256(told.encode()).hexdigest()[:12]
