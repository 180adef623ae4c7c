"""The state of a running command: its shared options, a client, and output as text or JSON."""

import errno
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from brskills import keyfile
from brskills.client import Client
from brskills.command.language import Texts


@dataclass(frozen=True, slots=True)
class Shell:
    """The shared options; ``text`` returns a text in the user's language."""

    text: Texts
    language: str
    json: bool
    service: str | None
    key_file: Path | None
    timeout: float
    quiet: bool = False

    @property
    def key_path(self) -> Path:
        """The file of the key: ``--key-file``, else the default."""
        return self.key_file or keyfile.KEY_FILE

    def client(self, *, with_key: bool = True) -> Client:
        """Return a client, with the configured key if ``with_key``."""
        key = self.key() if with_key else None
        return Client(key, self.service, timeout=self.timeout, language=self.language)

    def key(self) -> str | None:
        """Return the key of ``--key-file``; without it ``None``, for the client to find one."""
        return keyfile.read_key(self.key_file) if self.key_file else None

    def show(self, answer: Any, lines: Iterable[str]) -> None:
        """Write an answer: as JSON with ``--json``, else as these lines."""
        if self.json:
            write_line(as_json(answer))
        else:
            for line in lines:
                write_line(printable(line))

    def log(self, line: str) -> None:
        """Write a line to standard error, unless the answer is JSON or ``quiet``."""
        if not (self.json or self.quiet):
            write_line(printable(line), err=True)


def write_line(text: str, *, err: bool = False) -> None:
    """Write a line. A closed pipe is ignored; a full disk raises ``OSError``."""
    try:
        click.echo(text, err=err)
    except OSError as failure:
        # The buffered rest of the stream would fail again when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), (sys.stderr if err else sys.stdout).fileno())
        if failure.errno != errno.EPIPE:
            raise


def as_json(answer: Any) -> str:
    """Return an answer as JSON with the API's names."""
    content = asdict(answer) if is_dataclass(answer) and not isinstance(answer, type) else answer
    return json.dumps(content, ensure_ascii=sys.stdout.encoding.lower() != "utf-8", indent=2, default=_plain)


def printable(text: str) -> str:
    """Return a text without characters that control the terminal."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def _plain(value: Any) -> str:
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(type(value).__name__)
