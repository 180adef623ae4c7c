"""``make attacks``: attack a running service, with a row for each attack; exit code 1 if a limit is broken.

``--checkout PATH`` attacks the service of another checkout, ``--seconds`` sets how long attacks at full speed
last, ``--json FILE`` also writes every figure. Names select attacks. All sockets are on loopback.
"""

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from lab.attacks import allowances, connections, look_ups
from lab.attacks.outcome import HEAD, Outcome
from lab.attacks.target import Context
from tests.services import scenarios
from tests.services.gateway import ROOT

MOST_SECONDS = 1_800
OPEN_FILES = 16_000

ATTACKS: dict[str, Callable[[Context], Iterator[Outcome]]] = {
    "refused_answers": look_ups.refused_answers,
    "paid": look_ups.paid,
    "availability": look_ups.availability,
    "searches": look_ups.searches,
    "burst": connections.burst,
    "networks": allowances.networks,
    "large_heads": connections.large_heads,
    "forwarded": allowances.forwarded,
    "uncounted": allowances.uncounted,
}


def run(names: Sequence[str], checkout: Path, seconds: float) -> Iterator[Outcome]:
    """Yield the outcomes of attacks. An exception is an outcome that does not hold."""

    def attack(name: str, folder: Path) -> Iterator[Outcome]:
        return ATTACKS[name](Context(checkout, folder, seconds))

    attacks = {name: partial(attack, name) for name in ATTACKS}
    return scenarios.run(
        attacks, names, lambda name, error: Outcome(name, "could not be made", error=error), MOST_SECONDS
    )


def main() -> int:
    """Run the attacks and print the table. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lab.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(ATTACKS)}")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout to attack")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each attack at full speed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to a file")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    began, outcomes = time.monotonic(), []
    print(scenarios.table(HEAD, []), flush=True)
    for outcome in run(options.names, options.checkout.resolve(), options.seconds):
        print(outcome.line(), flush=True)
        outcomes.append(outcome)
    held = sum(outcome.held for outcome in outcomes)
    print(f"\n{held} of {len(outcomes)} held, in {time.monotonic() - began:.0f} s")
    if options.json:
        content = [outcome.as_json() for outcome in outcomes]
        options.json.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    return int(held < len(outcomes))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    sys.exit(main())
