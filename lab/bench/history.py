"""The figures of each release in docs/evidence/figures, a line each, and what is slower than in another.

Each Python has its own, for a ratio of another one is no measure: a function in Python gains by a newer one
what a peer in C does not.

Only ratios are compared, for values depend on the machine. A ratio is slower if it has grown by a tenth or
more and the quartiles of both runs do not overlap; what overlaps is noise.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from brskills_server.runtime.settings import VERSION
from lab.bench.figure import Figure, Spread
from lab.bench.table import DOCS

FOLDER = DOCS / "evidence/figures" / f"cpython-{sys.version_info.major}.{sys.version_info.minor}"
SLOWER = 1.1

Release = Mapping[str, Mapping[str, Figure]]
"""Figures by the part of the run that they are from, and their names."""


def file_of(version: str = VERSION, folder: Path = FOLDER) -> Path:
    return folder / f"{version}.json"


def base(version: str = VERSION, folder: Path = FOLDER) -> Path:
    """Return the file to compare with: of the release before, or this one's former run if it is the first.

    The release before, and not the run before: many small losses would pass one by one, and a slow run would
    be what the next is compared with.
    """
    earlier = [path for path in folder.glob("*.json") if _order(path.stem) < _order(version)]
    return max(earlier, key=lambda path: _order(path.stem), default=file_of(version, folder))


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def read(file: Path) -> dict[str, dict[str, Figure]]:
    """Return the figures of a file, none if it does not exist."""
    content = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {part: {name: _from_json(one) for name, one in found.items()} for part, found in content.items()}


def write(file: Path, release: Release) -> None:
    """Write a line for each figure, by part and name, with three digits of each number."""
    parts = {
        part: _lines({name: _text(_to_json(one)) for name, one in of.items()}) for part, of in release.items()
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{_lines(parts)}\n", encoding="utf-8")


def _lines(members: Mapping[str, str]) -> str:
    """Return a JSON object with a line for each member, by name."""
    return "{\n" + ",\n".join(f"{_text(name)}: {members[name]}" for name in sorted(members)) + "\n}"


def _text(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def slower(before: Release, now: Release) -> Iterator[str]:
    """Yield a line for each ratio that has grown by a tenth or more, beyond the noise of both runs."""
    for part, figures in now.items():
        for name, figure in figures.items():
            ratio, former = figure.ratio, before.get(part, {}).get(name, figure).ratio
            if ratio and former and ratio.middle >= former.middle * SLOWER and ratio.low > former.high:
                yield f"slower: {part}: {name} {former.middle:.3g} → {ratio.middle:.3g}"


def _to_json(figure: Figure) -> dict[str, Any]:
    found: dict[str, Any] = {figure.unit: _rounded(figure.value)}
    return found | ({"ratio": [*map(_rounded, figure.ratio)]} if figure.ratio else {})


def _from_json(content: dict[str, Any]) -> Figure:
    ratio = content.pop("ratio", None)
    ((unit, value),) = content.items()
    return Figure(value, unit, Spread(*ratio) if ratio else None)


def _rounded(value: float) -> float:
    rounded = float(f"{value:.3g}")
    return int(rounded) if rounded.is_integer() else rounded
