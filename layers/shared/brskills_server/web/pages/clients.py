"""The client libraries served at ``/clients/…``, and the lines that install them.

Anybody may publish the libraries' names on a public index, so nothing is installed by a bare name. ``make
site`` builds the files. ``make dist-npm``, which needs Node, adds the npm package; without it callers build
that package from its source.
"""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from brskills_server.web.pages.documents import Document

INSTALL = "install.txt"
_MEDIA_TYPES = {
    ".whl": "application/zip",
    ".tgz": "application/gzip",
    ".gz": "application/gzip",
}


class _Library(NamedTuple):
    """``commands``: with the ``files`` by path, or the ``name`` and ``stem`` of the only one.

    ``extras``: what the command ``brskills`` needs for pictures, spreadsheets and proofs.
    """

    title: str
    suffix: str
    commands: tuple[str, ...]
    extras: str = ""


_PYTHON = _Library("Python 3.11+", ".whl", ("pip install {files}",), "[qr,xlsx,proof]")
_NPM = _Library("Node 22+", ".tgz", ("npm install {files}",))
_NPM_SOURCE = _Library(
    "Node 22+: your npm builds the package",
    "-npm.tar.gz",
    (
        "tar -xzf {name}",
        "npm --prefix ./{stem}-npm ci",
        "npm --prefix ./{stem}-npm run build",
        "npm pack ./{stem}-npm",
        "npm install ./{stem}.tgz",
    ),
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
        return Document(path.read_bytes(), _MEDIA_TYPES[path.suffix])

    def install(self, base: str) -> str:
        """Return the shell lines that download, verify and install each library; empty without files."""
        npm = self._lines(_NPM, base) or self._lines(_NPM_SOURCE, base)
        return "\n".join(filter(None, (self._lines(_PYTHON, base), npm)))

    def _lines(self, library: _Library, base: str) -> str:
        names = [name for name in self._files if name.endswith(library.suffix)]
        if not names:
            return ""
        # API Gateway sends bytes only to callers who accept their media type by name.
        accept = _MEDIA_TYPES[Path(names[0]).suffix]
        addresses = " ".join(f"{base}/clients/{name}" for name in names)
        sums = "\n".join(f"{self._digests[name]}  {name}" for name in names)
        files = " ".join(
            f"'./{name}{library.extras}'" if name.startswith("brskills-") else f"./{name}" for name in names
        )
        stem = names[0].removesuffix(library.suffix)
        commands = " &&\n".join(library.commands).format(files=files, name=names[0], stem=stem)
        return (
            f"# {library.title}\n"
            f"curl -fsSH 'Accept: {accept}' --remote-name-all {addresses} &&\n"
            f"echo '{sums}' | sha256sum --check &&\n"
            f"{commands}\n"
        )

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in self._files.items()}
