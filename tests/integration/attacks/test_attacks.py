"""Quick attacks whose limits are counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.__main__ import ATTACKS, run
from tests.services.gateway import ROOT

QUICK = ("forwarded", "networks")


@pytest.mark.parametrize("name", QUICK)
def test_the_limits_hold(name: str) -> None:
    outcomes = [*run(name, ROOT, 1.0)]
    assert outcomes
    assert [outcome.line() for outcome in outcomes if not outcome.held] == []


def test_every_attack_has_a_module_and_every_module_is_listed() -> None:
    folder = Path(ROOT) / "tests/attacks"
    attacks = {path.stem for path in folder.glob("*.py") if "def attack(" in path.read_text(encoding="utf-8")}
    assert attacks == {*ATTACKS}
