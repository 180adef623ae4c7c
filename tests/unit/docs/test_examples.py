"""The table of the examples."""

from __future__ import annotations

import re
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples"
ROW = re.compile(r"^\| `(.+?)` \| .+? \| (.+?) \| ", re.MULTILINE)


def key_of(program: str) -> str:
    """Return where an example takes its key from."""
    if "WEBHOOK_SECRETS" in program:
        return "none: `WEBHOOK_SECRETS`"
    demo = re.search("brsk_demo[0-9A-Za-z]+", program)
    if demo:
        return (
            "`BRSKILLS_API_KEY`, else the demo key"
            if "BRSKILLS_API_KEY" in program
            else "the demo key, in the file"
        )
    return "required" if re.search(r"from (brskills|\"brskills\")", program) else "none"


def test_the_table_says_which_key_each_example_uses() -> None:
    listed = dict(ROW.findall((EXAMPLES / "README.md").read_text(encoding="utf-8")))
    files = [path for path in EXAMPLES.iterdir() if path.is_file() and path.name != "README.md"]
    assert listed == {path.name: key_of(path.read_text(encoding="utf-8")) for path in files}
