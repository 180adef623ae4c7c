"""Processes that end together, however one of them ends."""

import os
import threading
import time
from collections.abc import Iterable
from shutil import rmtree

__all__ = ["end_with"]


def end_with(parent: int, folders: Iterable[str] = ()) -> None:
    """End this process within about half a second of the one that started it, even where that was killed.

    ``folders``: what it would have cleared away, had it not been killed.
    """
    threading.Thread(target=_watch, args=(parent, folders), daemon=True).start()


def _watch(parent: int, folders: Iterable[str]) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    for folder in folders:
        rmtree(folder, ignore_errors=True)
    os._exit(1)
