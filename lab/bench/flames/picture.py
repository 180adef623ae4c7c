"""Draw what a call spends before and after a change, one below the other, on one scale:

``python -m lab.bench.flames.picture TITLE BEFORE MS AFTER MS``. ``BEFORE``, ``AFTER``: what py-spy writes
(``record --function --format raw``) of ``python -m lab.bench.flames NAME``. ``MS``: of processor a call.
Frames of less than a hundredth are left out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from pathlib import Path

WIDTH, ROW, LEAST, LETTER = 960, 13, 9, 4.6  # pixels
COLOURS = {"botocore": "#cfd8dc", "boto3": "#cfd8dc", "urllib3": "#cfd8dc", "brcode": "#7fb3d5"}
OURS, OTHERS = "#f0b27a", "#e8daef"
ROOMS = (
    "brskills_server", "functions", "runtime", "web", "skills", "metering", "accounts", "registry",
    "adapters", "dynamodb", "telemetry",
)  # fmt: skip
CALLED, SET_UP = "repeat (flames/", ("_GeneratorContextManager", "steps ")


class Frame:
    """A function as it was called: its samples, and those of what it called, by name."""

    def __init__(self) -> None:
        self.samples = 0
        self.called: dict[str, Frame] = defaultdict(Frame)


def read(file: Path) -> Frame:
    """Return the samples below the function that repeats the call."""
    top = Frame()
    for line in file.read_text(encoding="utf-8").splitlines():
        stack, _, samples = line.rpartition(" ")
        names = stack.split(";")
        begin = next((place for place, name in enumerate(names, 1) if name.startswith(CALLED)), len(names))
        below = names[begin:]
        if below and not below[0].startswith(SET_UP):
            frame = top
            frame.samples += int(samples)
            for name in below:
                frame = frame.called[name]
                frame.samples += int(samples)
    return top


def draw(frame: Frame, left: float, top: int, scale: float) -> Iterator[tuple[int, str]]:
    """Yield rectangles and names of what a frame called, each with its lower end."""
    for name, one in sorted(frame.called.items()):
        width = one.samples * scale
        if width >= LEAST:
            shape = f"M{left:.0f} {top}h{width - 1:.0f}v{ROW - 1}h-{width - 1:.0f}"
            text = escape(name.partition(" (")[0][: int((width - 3) / LETTER)]) if width > 4 * LEAST else ""
            label = f'<text x="{left + 2:.0f}" y="{top + 9}">{text}</text>' if text else ""
            yield top + ROW, f'<path fill="{colour_of(name)}" d="{shape}"/>{label}'
            yield from draw(one, left, top + ROW, scale)
        left += width


def colour_of(name: str) -> str:
    """Return the colour of a function's package."""
    package = name.rpartition("(")[2].partition("/")[0]
    return OURS if package in ROOMS else COLOURS.get(package, OTHERS)


def main(title: str, *given: str) -> None:
    """Print the picture."""
    files, times = given[::2], [float(one) for one in given[1::2]]
    end, parts = 0, list[str]()
    for label, file, spent in zip(("before", "after"), files, times, strict=True):
        text = f"{title}, {label}: {spent:.2f} ms of processor"
        parts.append(f'<text y="{end + 12}" font-size="11">{text}</text>')
        calls = read(Path(file))
        drawn = [*draw(calls, 0, end + 18, WIDTH * spent / max(times) / calls.samples)]
        parts += (part for _, part in drawn)
        end = max(lower for lower, _ in drawn) + ROW
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {end}" font-family="sans-serif"'
        f' font-size="9"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
