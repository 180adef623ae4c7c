"""What processes use of this machine, by Linux's own account."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["descendants", "peak_memory", "processor_seconds", "threads_of"]

_TICKS = os.sysconf("SC_CLK_TCK")


def descendants(process: int) -> list[int]:
    """A process and all that it started."""
    found = [process]
    for parent in found:
        with suppress(OSError):
            found += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())
    return found


def peak_memory(processes: Iterable[int]) -> float:
    """Of the process that needed most, in MB."""
    return max(_status(process).get("VmHWM", 0) / 1024 for process in processes)


def threads_of(process: int) -> int:
    """How many threads a process has."""
    return int(_status(process)["Threads"])


def processor_seconds(processes: Iterable[int]) -> float:
    """Of all of them together until now."""
    total = 0
    for process in processes:
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / _TICKS


def _status(process: int) -> Mapping[str, float]:
    found = {}
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            first = value.split()[:1]
            if first and first[0].isdigit():
                found[name] = float(first[0])
    return found
