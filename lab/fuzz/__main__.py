"""``make fuzz ARGS="SECONDS [TARGET [SEED/NUMBER]]"``: hostile input for all targets or one, and its figures.

A fault is printed with its input; to repeat it: ``make fuzz ARGS="0 TARGET SEED/NUMBER"``. Exit code 1.
"""

import os
import sys
from secrets import token_hex

from lab.fuzz.answers import open_answers
from lab.fuzz.charges import open_charges
from lab.fuzz.codes import open_codes
from lab.fuzz.driving import drive
from lab.fuzz.numbers import open_numbers
from lab.fuzz.routes import open_messages, open_routes, open_sign_in

TARGETS = {
    "codes": open_codes,
    "numbers": open_numbers,
    "answers": open_answers,
    "charges": open_charges,
    "routes": open_routes,
    "sign-in": open_sign_in,
    "messages": open_messages,
}


def main() -> None:
    """Drive them one after the other, each for its part of the time."""
    seconds, *named = sys.argv[1:]
    names = named[:1] or [*TARGETS]
    seed, _, first = (named[1] if len(named) > 1 else token_hex(4)).partition("/")
    print(f"{'target':10} {'inputs':>9} {'a second':>9} {'slowest':>10}  faults", flush=True)
    faulty = False
    for name in names:
        with TARGETS[name]() as target:
            figures = drive(target, seed, float(seconds) / len(names), int(first or 0))
        rate, slowest = figures.runs / figures.seconds, f"{figures.slowest * 1000:.1f} ms"
        found = len(figures.faults) or "none"
        print(f"{name:10} {figures.runs:>9} {rate:>9.0f} {slowest:>10}  {found}", flush=True)
        for fault, number in figures.faults.items():
            print(f'  {fault}\n    make fuzz ARGS="0 {name} {seed}/{number}"', flush=True)
        faulty = faulty or bool(figures.faults)
    sys.stdout.flush()
    os._exit(int(faulty))  # threads of functions may still wait for something


if __name__ == "__main__":
    main()
