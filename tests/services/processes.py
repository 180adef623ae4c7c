"""What processes use of this machine, as Linux reports it."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def descendants(process: int) -> list[int]:
    """Return a process and all that it started."""
    found = [process]
    for parent in found:
        with suppress(OSError):
            found += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())
    return found


def workers_of(process: int) -> set[int]:
    """Return the processes of a gateway that answer calls."""
    found = set()
    for child in descendants(process)[1:]:
        with suppress(OSError):
            if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                found.add(child)
    return found


def memory(process: int, field: str = "VmRSS") -> float:
    """Return the memory of a process in MB; ``VmHWM``: its peak."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) / 1024
    return 0.0


def processor_seconds(processes: Iterable[int]) -> float:
    """Return the processor time of all of them together until now."""
    total = 0
    for process in processes:
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / _TICKS
