"""Documents to send, and the static files that pages load."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

HTML = "text/html; charset=utf-8"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Document:
    """A text with its media type and Content-Security-Policy."""

    def __init__(self, body: str, media_type: str, policy: str = "default-src 'none'") -> None:
        self.body = body
        self.media_type = media_type
        self.policy = policy

    @cached_property
    def etag(self) -> str:
        """Return a strong validator: the digest of the body."""
        return f'"{hashlib.sha256(self.body.encode()).hexdigest()[:20]}"'


def static_files(root: Path) -> dict[str, Document]:
    """Return the files below a folder by their relative path."""
    return {
        path.relative_to(root).as_posix(): Document(path.read_text("utf-8"), MEDIA_TYPES[path.suffix])
        for path in sorted(root.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }


def version_of(files: Mapping[str, Document]) -> str:
    """Return a digest that changes with any of the files."""
    content = "".join(f"{name}\0{file.etag}\n" for name, file in files.items())
    return hashlib.sha256(content.encode()).hexdigest()[:12]
