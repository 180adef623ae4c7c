"""Companies whose names hold a formula behind the other separator, through ``brskills lote`` into a file."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tests.attacks.outcome import Check, Outcome
from tests.attacks.providers import changed
from tests.attacks.target import Context, Target, environment_of
from tests.simulator import PROVIDERS, Simulator
from tests.simulator.companies import numbers

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
FORMULA = '=HYPERLINK("http://x.example","y")'
SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)*")
COMPANIES = numbers("44000000", 3)
ENTRY = "from brskills.command.entry import main; main()"


def attack(context: Context) -> Iterator[Outcome]:
    for name, separator in SEPARATORS.items():
        with Simulator() as providers, context.serving(providers) as target:
            for provider in PROVIDERS:
                providers.play(provider, changed(_poisoned))
            text = _made(target, separator)
        found = {
            other: sum(map(_runs, _cells(text, mark)))
            for other, mark in SEPARATORS.items()
            if mark != separator
        }
        outcome = Outcome("formulas", f"a file with {name}s, read with another separator")
        outcome.spent = {f"cells that run, by {other}": cells for other, cells in found.items()}
        outcome.spent["bytes"] = len(text)
        outcome.checks = [
            Check("cells that run", sum(found.values()), most=0),
            Check("companies in the file", text.count("HYPERLINK") + text.count("LOJA"), least=1),
        ]
        yield outcome


def _poisoned(record: dict[str, Any]) -> dict[str, Any]:
    name = "".join(f"LOJA{mark}{FORMULA}" for mark in SEPARATORS.values())
    return {**record, "razao_social": name, "nome_fantasia": f"X;{FORMULA};\t@SUM(1),+1"}


def _made(target: Target, separator: str) -> str:
    """The file that the command makes of a list of numbers."""
    source, made = target.folder / "in.csv", target.folder / "out.csv"
    rows = [["cnpj", "remark"], *([number, "x"] for number in COMPANIES)]
    source.write_text("\n".join(separator.join(row) for row in rows) + "\n")
    subprocess.run(
        [sys.executable, "-c", ENTRY, "lote", str(source), "-o", str(made)],
        env=environment_of(
            target.context.checkout,
            BRSKILLS_URL=f"http://127.0.0.1:{target.port}",
            BRSKILLS_API_KEY=target.new_key("enterprise"),
        ),
        capture_output=True,
        timeout=60,
        check=True,
    )
    return made.read_text(encoding="utf-8-sig")


def _cells(text: str, separator: str) -> Iterator[str]:
    for row in csv.reader(text.splitlines(), delimiter=separator):
        yield from row


def _runs(cell: str) -> bool:
    return cell.lstrip(" ").startswith(SIGNS) and not _NUMBER.fullmatch(cell)
