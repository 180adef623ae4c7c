"""How the labelled pairs of names are answered, as docs/evidence/payee.md lists it.

``python -m tests.unit.payee.table`` prints what the tuned half leaves open; ``--write`` renews the document.
"""

import csv
import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from brskills_server.skills.payee.names import compare_names

ROOT = Path(__file__).parents[3]
PAIRS, DOCUMENT = ROOT / "tests" / "data" / "payee_names.tsv", ROOT / "docs" / "evidence" / "payee.md"
LABELS = ("same", "other", "unclear")
ANSWERS = ("confere", "parecido", "diverge", "desconhecido")
RIGHT = {"confere": "same", "diverge": "other"}
BLOCK = re.compile(r"(?<=<!-- names -->\n).*?(?=<!-- /names -->)", re.DOTALL)


class Pair(NamedTuple):
    written: str
    legal: str
    trade: str
    label: str
    category: str
    half: str

    @property
    def answer(self) -> str:
        return compare_names(self.written, self.legal or None, self.trade or None)


def pairs(half: str) -> list[Pair]:
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [pair for pair in map(Pair._make, rows[1:]) if pair.half == half]


def precision(answered: list[tuple[Pair, str]], answer: str) -> tuple[int, int]:
    """Right answers of a kind, and all of them; a pair whose truth is unclear makes either a wrong one."""
    labels = [pair.label for pair, given in answered if given == answer]
    return labels.count(RIGHT[answer]), len(labels)


def table() -> str:
    """The table of both halves in Markdown: the half that was measured by truth, the other in sum."""
    measured = [(pair, pair.answer) for pair in pairs("measure")]
    lines = [f"| Truth | Pairs | {' | '.join(ANSWERS)} |", "| --- " + "| ---: " * 5 + "|"]
    for label in LABELS:
        answers = Counter(answer for pair, answer in measured if pair.label == label)
        cells = [answers.total(), *(answers[answer] for answer in ANSWERS)]
        lines.append(f"| {label} | {' | '.join(map(str, cells))} |")
    lines.append("")
    for half in ("measure", "develop"):
        answered = measured if half == "measure" else [(pair, pair.answer) for pair in pairs(half)]
        lines_of_half = []
        for answer, label in RIGHT.items():
            right, given = precision(answered, answer)
            there = sum(pair.label == label for pair, _ in answered)
            lines_of_half.append(f"`{answer}` {right} of {given} right, of {there} pairs that are `{label}`")
        lines.append(f"- `{half}`, {len(answered)} pairs: {'; '.join(lines_of_half)}.")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        made = table()
        DOCUMENT.write_text(BLOCK.sub(lambda _: made, DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        for one in pairs("develop"):
            if (given := one.answer) != {"same": "confere", "other": "diverge"}.get(one.label, given):
                print(given, *one[:5], sep="\t")
