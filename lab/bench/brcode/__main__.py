"""`python -m lab.bench.brcode`: measure brcode beside its peers; tables of docs/evidence/brcode.md."""

import sys

from lab.bench.brcode import environment

sys.path.insert(0, str(environment.ROOT / "layers" / "shared"))

from lab.bench.brcode import correctness, speed
from lab.bench.figure import Figure
from lab.bench.table import DOCS, keep


def measure() -> dict[str, Figure]:
    """Measure and keep."""
    environment.prepare()
    text, figures = speed.measure()
    keep("speed", text, DOCS / "evidence/brcode.md")
    keep("correctness", correctness.table(), DOCS / "evidence/brcode.md")
    return figures


if __name__ == "__main__":
    measure()
