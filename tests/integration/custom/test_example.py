"""The example's own tests, run where it is installed, as its author would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.services.gateway import ROOT
from tests.services.packages import EXAMPLE, install


def test_the_example_passes_its_own_tests(tmp_path: Path) -> None:
    install(EXAMPLE, tmp_path)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'layers/shared'}:{tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", EXAMPLE, EXAMPLE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "[100%]" in done.stdout
