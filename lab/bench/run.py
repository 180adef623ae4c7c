"""Every measurement in one run of at most five minutes on two processors: ``python -m lab.bench.run``.

Each part is measured in a new process. The figures are written to docs/evidence/figures; what is slower than
in the release before is printed, and the exit status is 1 then. With names of parts only those are measured.
"""

import multiprocessing
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

from lab.bench import history
from lab.bench.figure import Figure
from lab.bench.timing import processor_seconds

MACHINE = "Measure the release before here too: the same code has other ratios on another machine."


def parts(folder: Path) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the modules below ``lab.bench`` and what they measure here, shorter than by themselves."""
    return {
        "calls": ("service.__main__", {"rounds": 1000}),
        "starts": ("starts.__main__", {"rounds": 5}),
        "warm": ("warm.__main__", {"rounds": 7}),
        "busy": ("neighbours", {"folder": folder, "rounds": 3}),
        "bill": ("bill", {}),
        "brcode": ("brcode.__main__", {}),
        "look-ups": ("registry.__main__", {"rounds": 300}),
        "follow": ("follow", {"rounds": 200}),
        "stores": ("stores", {}),
        "webhooks": ("deliveries", {}),
        "register": ("register", {"folder": folder}),
        "search": ("search", {"copy": folder / "copy"}),
        "reads": ("search_reads", {"copy": folder / "copy"}),
        "memory": ("memory", {"folder": folder}),
    }


def main(names: list[str]) -> None:
    """Measure, write the figures, and compare them. Raise ``SystemExit`` where something is slower."""
    before, file = history.read(history.base()), history.file_of()
    release = history.read(file) if names else {}
    with tempfile.TemporaryDirectory() as place:
        known = parts(Path(place))
        if unknown := set(names) - known.keys():
            raise SystemExit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(known)}")
        for part in names or known:
            release[part] = _in_new_process(part, *known[part])
    history.write(file, release)
    if lines := [*history.slower(before, release)]:
        raise SystemExit("\n".join((*lines, MACHINE)))


def _in_new_process(part: str, module: str, options: dict[str, Any]) -> dict[str, Figure]:
    began, used = time.monotonic(), processor_seconds()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        found = process.submit(_measure, module, options).result()
    took, used = time.monotonic() - began, processor_seconds() - used
    print(f"{part}: {took:.0f} s, {used:.0f} s of processor\n", flush=True)
    return found


def _measure(module: str, options: dict[str, Any]) -> dict[str, Figure]:
    found: dict[str, Figure] = import_module(f"lab.bench.{module}").measure(**options)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
