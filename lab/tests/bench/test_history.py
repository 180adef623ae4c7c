"""A release's figures are kept, and what is slower than in the one before is found beyond the noise."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.bench import history, run
from lab.bench.figure import Figure, Spread

RATIOS = st.floats(0.001, 1000)


def release(*ratio: float) -> dict[str, dict[str, Figure]]:
    return {"part": {"step": Figure(1.5, "ms", Spread(*ratio))}}


BEFORE = release(0.98, 1.0, 1.02)


def test_a_ratio_that_has_grown_by_a_tenth_is_named_with_both() -> None:
    found = history.slower(BEFORE, release(1.10, 1.13, 1.16))
    assert list(found) == ["slower: part: step 1 → 1.13"]


@pytest.mark.parametrize(
    "now",
    [
        release(1.08, 1.09, 1.10),  # less than a tenth
        release(0.5, 0.5, 0.5),  # quicker
        release(1.02, 1.3, 1.6),  # its spread covers the difference
        {"part": {"step": Figure(9.0, "ms")}},  # no ratio now
        {"part": {"new": Figure(9.0, "ms", Spread.exact(9.0))}},
        {"new": {"step": Figure(9.0, "ms", Spread.exact(9.0))}},
    ],
)
def test_nothing_else_is_slower(now: dict[str, dict[str, Figure]]) -> None:
    assert not list(history.slower(BEFORE, now))


def test_the_former_spread_may_cover_the_difference_too() -> None:
    assert not list(history.slower(release(0.8, 1.0, 1.2), release(1.13, 1.13, 1.13)))


@given(st.dictionaries(st.text(max_size=9), st.tuples(RATIOS, st.none() | st.tuples(RATIOS, RATIOS, RATIOS))))
def test_a_run_is_never_slower_than_itself(found: dict[str, tuple[float, tuple[float, ...] | None]]) -> None:
    figures = {
        name: Figure(value, "ms", Spread(*sorted(ratio)) if ratio else None)
        for name, (value, ratio) in found.items()
    }
    assert not list(history.slower({"part": figures}, {"part": figures}))


def test_a_file_has_a_line_for_each_figure_by_name_with_three_digits(tmp_path: Path) -> None:
    file = tmp_path / "figures" / "1.0.0.json"
    x = Figure(1, "ms", Spread(0.12345, 1, 2.5))
    history.write(file, {"b": {"µ": Figure(1618.4, "calls/s")}, "a": {"y": Figure(0.5, "MB"), "x": x}})
    assert file.read_text(encoding="utf-8").splitlines() == [
        "{",
        '"a": {',
        '"x": {"ms":1,"ratio":[0.123,1,2.5]},',
        '"y": {"MB":0.5}',
        "},",
        '"b": {',
        '"µ": {"calls/s":1620}',
        "}",
        "}",
    ]
    assert history.read(file) == {
        "a": {"x": Figure(1, "ms", Spread(0.123, 1, 2.5)), "y": Figure(0.5, "MB")},
        "b": {"µ": Figure(1620, "calls/s")},
    }


def test_the_release_before_is_compared_with_or_the_former_run_of_the_first(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0", "1.11.0"):
        history.write(tmp_path / f"{version}.json", {})
    assert history.base("1.10.0", tmp_path).stem == "1.9.0"
    assert history.base("2.0.0", tmp_path).stem == "1.11.0"
    assert history.base("1.9.0", tmp_path).stem == "1.9.0"
    assert history.read(history.base("1.0.0", tmp_path)) == {}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a release with two parts, the first of which is slower when it is measured again."""
    file = tmp_path / "1.0.0.json"
    step, gone = BEFORE["part"]["step"], Figure(1, "ms")
    history.write(file, {"one": {"step": step, "gone": gone}, "two": {"x": Figure(2, "ms")}})
    measured = {"one": {"step": Figure(2, "ms", Spread.exact(1.5))}, "two": {"x": Figure(3, "ms")}}
    monkeypatch.setattr(history, "base", lambda: file)
    monkeypatch.setattr(history, "file_of", lambda: file)
    monkeypatch.setattr(run, "parts", lambda _: {name: (name, {}) for name in measured})
    monkeypatch.setattr(run, "_in_new_process", lambda part, *_: measured[part])
    return file


def test_a_run_writes_its_figures_and_fails_if_something_is_slower(file: Path) -> None:
    with pytest.raises(SystemExit, match=r"^slower: one: step 1 → 1\.5\nMeasure the release before"):
        run.main([])
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "one": {"step": {"ms": 2, "ratio": [1.5, 1.5, 1.5]}},
        "two": {"x": {"ms": 3}},
    }


def test_a_part_that_is_chosen_replaces_its_own_figures(file: Path) -> None:
    run.main(["two"])
    found = history.read(file)
    assert found["two"]["x"].value == 3
    assert found["one"].keys() == {"step", "gone"}


def test_an_unknown_part_is_refused_before_anything_is_measured(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(SystemExit, match="unknown: three; known: one, two"):
        run.main(["two", "three"])
    assert file.read_bytes() == before
