"""A file on its way: ``NAME.part``, and beside it in ``NAME.json`` which version its bytes are of.

Both outlive a run, so that the next one goes on where it ended. Bytes of another version are deleted
before the new one is noted: a part is never taken for what it is not.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from brskills_server.snapshot_builder.sources.listing import Listed
from brskills_server.snapshot_builder.zips import is_readable

__all__ = ["Kept"]


class Kept:
    """One file of the listed ``version`` in the folder ``into``.

    What is there of another version is deleted, and what nobody could tell from another.
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
        """Whether the whole file stands under its own name."""
        return self._whole.exists() and self._whole.stat().st_size == self._version.size

    def length(self) -> int:
        """Bytes that are here, of which the rest can be told to be the rest."""
        if self.is_done():
            return self._version.size
        return self._part.stat().st_size if self._version.validator and self._part.exists() else 0

    def write_from(self, start: int) -> BinaryIO:
        """The part, to be written to from its end; from its beginning if ``start`` is 0."""
        return self._part.open("ab" if start else "wb")

    def finish(self) -> bool:
        """Give a part with all its bytes the file's name; ``False``, and it is gone, if it is not a zip."""
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
