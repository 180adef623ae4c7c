"""Progress on standard error: a counter in a terminal, elsewhere a line every few seconds."""

import asyncio
import sys
from typing import Self

from brskills.command.shell import Shell

_TERMINAL_SECONDS, _LINE_SECONDS = 1.0, 5.0


class Progress:
    """The progress towards ``total`` answers; a short run without a terminal shows nothing.

    A context of asyncio, which refreshes it also while no answer arrives.
    """

    def __init__(self, shell: Shell, total: int, done: int) -> None:
        self._shell, self._total, self._done = shell, total, done
        self._in_terminal = sys.stderr.isatty() and not (shell.json or shell.quiet)
        self._seconds = _TERMINAL_SECONDS if self._in_terminal else _LINE_SECONDS

    def add(self, count: int) -> None:
        """Add new answers."""
        self._done += count

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._started = self._loop.time()
        if self._in_terminal:
            self._show()
        self._timer = self._loop.call_later(self._seconds, self._tick)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._timer.cancel()
        if self._in_terminal:
            self._show()
            self._shell.log("")

    def _tick(self) -> None:
        self._show()
        self._timer = self._loop.call_later(self._seconds, self._tick)

    def _show(self) -> None:
        seconds = round(self._loop.time() - self._started)
        line = self._shell.text("progress", done=self._done, count=self._total, seconds=seconds)
        if self._in_terminal:
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
        else:
            self._shell.log(line)
