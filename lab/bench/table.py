"""Tables of measurements, kept between two marks in docs/evidence/figures.md or another document."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def keep(name: str, table: str, document: Path = DOCS / "evidence/figures.md") -> None:
    """Put a table between the marks of its name, and print it."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    text = document.read_text(encoding="utf-8")
    block = f"{begin}\n{table}\n{end}"
    document.write_text(re.sub(f"{begin}.*?{end}", lambda _: block, text, flags=re.DOTALL), encoding="utf-8")
    print(table, end="\n\n", flush=True)
