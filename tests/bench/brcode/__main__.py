"""`python -m tests.bench.brcode`: measure brcode beside its peers; tables of docs/evidence/brcode.md."""

import sys

from tests.bench.brcode import environment

sys.path.insert(0, str(environment.ROOT / "layers" / "shared"))

from tests.bench.brcode import correctness, speed
from tests.bench.table import DOCS, keep

environment.prepare()
keep("speed", speed.table(), DOCS / "evidence/brcode.md")
keep("correctness", correctness.table(), DOCS / "evidence/brcode.md")
