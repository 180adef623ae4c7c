"""The client libraries and collections of requests served at ``/clients/…``, and the lines that install.

Anybody may publish the libraries' names on a public index, so nothing is installed by a bare name. ``make
site`` and ``make dist-npm`` build the files.
"""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from brskills_server.web.pages.documents import Document

INSTALL = "install.txt"
_MEDIA_TYPES = {
    ".whl": "application/zip",
    ".zip": "application/zip",
    ".tgz": "application/gzip",
    ".json": "application/json",
}


class _Library(NamedTuple):
    """``extras``: what the command ``brskills`` needs for pictures and spreadsheets."""

    title: str
    suffix: str
    command: str
    extras: str = ""


_LIBRARIES = (
    _Library("Python 3.11+", ".whl", "pip install", "[qr,xlsx]"),
    _Library("Node 22+", ".tgz", "npm install"),
)


class ClientFiles:
    """The files of a folder, read when they are requested; there may be none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _files(self) -> dict[str, Path]:
        return {path.name: path for path in sorted(self._folder.glob("*")) if path.suffix in _MEDIA_TYPES}

    def document(self, name: str, base: str) -> Document | None:
        """Return a file, or ``install.txt`` for a service at ``base``; ``None`` if it does not exist."""
        if name == INSTALL:
            return Document(self.install(base), "text/plain; charset=utf-8")
        path = self._files.get(name)
        if path is None:
            return None
        # As bytes, API Gateway would encode it: JSON is not among its binary media types.
        body = path.read_text("utf-8") if path.suffix == ".json" else path.read_bytes()
        return Document(body, _MEDIA_TYPES[path.suffix])

    def install(self, base: str) -> str:
        """Return the shell lines that download, verify and install each library; empty without files."""
        return "\n".join(filter(None, (self._lines(library, base) for library in _LIBRARIES)))

    def _lines(self, library: _Library, base: str) -> str:
        names = [name for name in self._files if name.endswith(library.suffix)]
        if not names:
            return ""
        # API Gateway sends bytes only to callers who accept their media type by name.
        accept = _MEDIA_TYPES[library.suffix]
        addresses = " ".join(f"{base}/clients/{name}" for name in names)
        sums = "\n".join(f"{self._digests[name]}  {name}" for name in names)
        files = " ".join(
            f"'./{name}{library.extras}'" if name.startswith("brskills-") else f"./{name}" for name in names
        )
        return (
            f"# {library.title}\n"
            f"curl -fsSH 'Accept: {accept}' --remote-name-all {addresses} &&\n"
            f"echo '{sums}' | sha256sum --check &&\n"
            f"{library.command} {files}\n"
        )

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in self._files.items()}
