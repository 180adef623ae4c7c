"""How a function begins on AWS."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.services.expanded import of_type, resources
from tests.services.gateway import ROOT

PROGRAM = """
import gc
from brskills_server.runtime.start import handler
print(handler(), gc.isenabled(), gc.get_freeze_count() > 0)
"""


def test_the_collector_waits_until_the_function_is_there(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import gc\nseen = gc.isenabled()\nhandler = lambda: seen\n")
    path = {"PYTHONPATH": f"{ROOT}/layers/shared:{tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=path
    )
    assert done.stdout == "False True True\n"


def test_every_function_begins_so() -> None:
    functions = of_type(resources(), "AWS::Lambda::Function").values()
    assert len(functions) > 10
    assert {each["Handler"] for each in functions} == {"brskills_server.runtime.start.handler"}
