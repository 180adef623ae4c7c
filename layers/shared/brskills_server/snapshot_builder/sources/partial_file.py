"""A file being downloaded: ``NAME.part``, and beside it ``NAME.json`` with the version of its bytes.

Both outlive a run, so that the next one resumes. Bytes of another version are deleted before the new version
is noted: a part is never completed with bytes of another file.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from brskills_server.snapshot_builder.sources.listing import Listed
from brskills_server.snapshot_builder.zips import is_readable


class PartialFile:
    """One file of the listed ``version`` in the folder ``into``.

    Creating it deletes bytes of another version, and all bytes if versions cannot be distinguished.
    """

    def __init__(self, into: Path, name: str, version: Listed) -> None:
        self._whole = into / name
        self._part = into / f"{name}.part"
        self._note = into / f"{name}.json"
        self._version = version
        if self._noted() != asdict(version) or not (version.etag or version.modified):
            self.discard()
            self._note.write_text(json.dumps(asdict(version)), encoding="utf-8")
        elif not self.is_done() and (self._whole.exists() or self.length() > version.size):
            self.discard()

    def is_done(self) -> bool:
        """Return whether the whole file has its own name."""
        return self._whole.exists() and self._whole.stat().st_size == self._version.size

    def length(self) -> int:
        """Return the number of bytes from which a download can resume."""
        if self.is_done():
            return self._version.size
        return self._part.stat().st_size if self._version.validator and self._part.exists() else 0

    def write_from(self, start: int) -> BinaryIO:
        """Open the part for writing: at its end, or anew if ``start`` is 0."""
        return self._part.open("ab" if start else "wb")

    def finish(self) -> bool:
        """Rename a complete part to the file's name. If it is not a zip, delete it and return `False`."""
        if not is_readable(self._part):
            self.discard()
            return False
        with self._part.open("rb") as written:
            os.fsync(written.fileno())
        self._part.rename(self._whole)
        return True

    def discard(self) -> None:
        """Delete every byte."""
        self._whole.unlink(missing_ok=True)
        self._part.unlink(missing_ok=True)

    def _noted(self) -> object:
        try:
            return json.loads(self._note.read_bytes())
        except (OSError, ValueError):
            return None
