"""``make attacks``: attack a running service, with a row for each attack; exit code 1 if a limit is broken.

``--checkout PATH`` attacks the service of another checkout, ``--seconds`` sets how long attacks at full speed
last, ``--json FILE`` also writes every figure. Names select attacks.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from tests.attacks.outcome import Outcome, table
from tests.attacks.target import Context
from tests.services.gateway import ROOT

MOST_SECONDS = 1_800
OPEN_FILES = 16_000

ATTACKS = (
    "refused_answers",
    "paid",
    "repeats",
    "absences",
    "availability",
    "burst",
    "shell_addresses",
    "networks",
    "billing_garbage",
    "large_heads",
    "clock_ahead",
    "metrics_port",
    "forwarded",
    "uncounted",
)
"""Modules of this package, each with a function ``attack`` that yields outcomes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks and print the table. Return the exit code."""
    options = _parser().parse_args(arguments)
    if unknown := set(options.names) - set(ATTACKS):
        raise SystemExit(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MOST_SECONDS)
    _allow_open_files()
    began, outcomes = time.monotonic(), []
    print("\n".join(table([])), flush=True)
    for name in options.names or ATTACKS:
        for outcome in run(name, options.checkout.resolve(), options.seconds):
            print(outcome.line(), flush=True)
            outcomes.append(outcome)
    held = sum(outcome.held for outcome in outcomes)
    print(f"\n{held} of {len(outcomes)} held, in {time.monotonic() - began:.0f} s")
    if options.json:
        content = [outcome.as_json() for outcome in outcomes]
        options.json.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    return int(held < len(outcomes))


def run(name: str, checkout: Path, seconds: float) -> Iterator[Outcome]:
    """Yield the outcomes of an attack. An exception is an outcome that does not hold."""
    with tempfile.TemporaryDirectory(prefix="brskills-attacks-") as folder:
        try:
            yield from import_module(f"tests.attacks.{name}").attack(Context(checkout, Path(folder), seconds))
        except Exception as failure:
            traceback.print_exc()
            yield Outcome(name, "could not be made", error=f"{type(failure).__name__}: {failure}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(ATTACKS)}")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout to attack")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each attack at full speed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to a file")
    return parser


def _allow_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _too_long(*_: object) -> None:
    raise SystemExit(f"not done in {MOST_SECONDS} s")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    sys.exit(main())
