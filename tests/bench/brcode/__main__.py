"""Measure brcode beside its peers and keep the tables in docs/brcode.md: `python -m tests.bench.brcode`."""

import sys

from tests.bench.brcode import environment

sys.path.insert(0, str(environment.ROOT / "layers" / "shared"))

from tests.bench.brcode import correctness, speed
from tests.bench.table import DOCS, keep

environment.prepare()
keep("speed", speed.table(), DOCS / "brcode.md")
keep("correctness", correctness.table(), DOCS / "brcode.md")
