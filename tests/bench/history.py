"""The figures of each release in docs/evidence/figures, a line each, and what is slower than in another.

Only ratios are compared, for values depend on the machine. A ratio is slower if it has grown by a tenth or more
and the quartiles of both runs do not overlap; what overlaps is noise.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from brskills_server.runtime.settings import VERSION
from tests.bench.figure import Figure, Spread
from tests.bench.table import DOCS

FOLDER = DOCS / "evidence/figures"
SLOWER = 1.1

Figures = Mapping[str, Figure]


def file_of(version: str = VERSION, folder: Path = FOLDER) -> Path:
    return folder / f"{version}.json"


def base(version: str = VERSION, folder: Path = FOLDER) -> Path:
    """Return the file to compare with: of the release before, or this one's own former run if it is the first.

    The release before, and not the run before: many small losses would pass one by one, and a slow run would be
    what the next is compared with.
    """
    earlier = [path for path in folder.glob("*.json") if _order(path.stem) < _order(version)]
    return max(earlier, key=lambda path: _order(path.stem), default=file_of(version, folder))


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def read(file: Path) -> dict[str, Figure]:
    """Return the figures of a file, none if it does not exist."""
    if not file.exists():
        return {}
    return {name: _from_json(one) for name, one in json.loads(file.read_text(encoding="utf-8")).items()}


def write(file: Path, figures: Figures) -> None:
    """Write a line for each figure, by name, with three digits of each number."""
    lines = [f"{_text(name)}: {_text(_to_json(figures[name]))}" for name in sorted(figures)]
    file.parent.mkdir(exist_ok=True)
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def slower(before: Figures, now: Figures) -> Iterator[str]:
    """Yield a line for each ratio that has grown by a tenth or more, beyond the noise of both runs."""
    for name, figure in now.items():
        former = before[name].ratio if name in before else None
        if former and figure.ratio and figure.ratio.middle >= former.middle * SLOWER:
            if figure.ratio.low > former.high:
                yield f"slower: {name} {former.middle:.3g} → {figure.ratio.middle:.3g}"


def _text(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


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
