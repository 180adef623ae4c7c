"""``make fuzz ARGS="SECONDS [TARGET [SEED/NUMBER]]"``: hostile input for all targets or one, and its figures.

A fault is printed with its input; to repeat it: ``make fuzz ARGS="0 TARGET SEED/NUMBER"``. Exit code 1.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from secrets import token_hex

from tests.fuzz.driving import Open, drive

TARGETS = {
    "codes": "codes:open_codes",
    "numbers": "numbers:open_numbers",
    "answers": "answers:open_answers",
    "routes": "routes:open_routes",
    "sign-in": "routes:open_sign_in",
    "messages": "routes:open_messages",
}


def main() -> None:
    """Drive them one after the other, each for its part of the time."""
    seconds, *named = sys.argv[1:]
    names = named[:1] or [*TARGETS]
    seed, _, first = (named[1] if len(named) > 1 else token_hex(4)).partition("/")
    print(f"{'target':10} {'inputs':>9} {'a second':>9} {'slowest':>10}  faults", flush=True)
    faulty = False
    for name in names:
        with _open(name) as target:
            figures = drive(target, seed, float(seconds) / len(names), int(first or 0))
        rate, slowest = figures.runs / figures.seconds, f"{figures.slowest * 1000:.1f} ms"
        print(
            f"{name:10} {figures.runs:>9} {rate:>9.0f} {slowest:>10}  {len(figures.faults) or 'none'}",
            flush=True,
        )
        for fault, number in figures.faults.items():
            print(f'  {fault}\n    make fuzz ARGS="0 {name} {seed}/{number}"', flush=True)
        faulty = faulty or bool(figures.faults)
    sys.stdout.flush()
    os._exit(int(faulty))  # threads of functions may still wait for something


def _open(name: str) -> Open:
    module, _, function = TARGETS[name].partition(":")
    opened: Open = getattr(import_module(f"tests.fuzz.{module}"), function)()
    return opened


if __name__ == "__main__":
    main()
