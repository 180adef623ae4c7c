"""The units that the package brings are such as systemd understands, where there is one to ask."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.parametrize("analyze", [ANALYZE] if ANALYZE else [])
def test_systemd_understands_the_units(analyze: str, unpacked: Path, installed: Path, tmp_path: Path) -> None:
    units = {
        unit.name: unit.read_text()
        for end in ("service", "timer")
        for unit in unpacked.glob(f"on-premise/*.{end}")
    }
    assert units.keys() == {"brskills.service", "brskills-copy.service", "brskills-copy.timer"}
    for name, text in units.items():
        (tmp_path / name).write_text(text.replace("/opt/brskills", str(installed)))
    result = subprocess.run([analyze, "verify", *tmp_path.iterdir()], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
