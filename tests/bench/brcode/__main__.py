"""Measure brcode against its peers and keep the tables in docs/brcode.md: `python -m tests.bench.brcode`."""

import re
import sys

from tests.bench.brcode import environment

sys.path.insert(0, str(environment.ROOT / "layers" / "shared"))

from tests.bench.brcode import correctness, speed

DOCUMENT = environment.ROOT / "docs" / "brcode.md"


def keep(name: str, table: str) -> None:
    """Put ``table`` between its two marks in the document."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    text = DOCUMENT.read_text()
    block = f"{begin}\n{table}\n{end}"
    DOCUMENT.write_text(
        re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: block, text, flags=re.DOTALL)
    )
    print(table, end="\n\n")


environment.prepare()
keep("speed", speed.table())
keep("correctness", correctness.table())
