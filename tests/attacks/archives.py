"""Files of a month that cost too much memory, or shorten what is compared before the month is accepted."""

from __future__ import annotations

import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context, environment_of
from tests.register.company import companies
from tests.register.files import write_member, write_month
from tests.register.layout import members

DAY, COMPANIES = date(2026, 10, 10), 3_000
LINES, LONG_LINE, TIMES_TOO_LARGE = 25_000_000, 60_000_000, 5_000
MOST_MEMORY, LIMIT_OF_MEMORY = 1_000, 3 * 2**30
SAMPLE_SHARE = 0.5  # of what is compared in the same month without the fault
MONTH = "month"
FILE = "Empresas0.zip"
_SIZE_IN_DIRECTORY = 24  # bytes behind the mark of an entry of the central directory


class Built(NamedTuple):
    """``code``: of the command's exit; ``compared``: look-ups of the cross-check; memory in MB."""

    code: int
    compared: int
    memory: float
    is_trace: bool

    @property
    def spent(self) -> dict[str, float | str]:
        trace = "yes" if self.is_trace else "no"
        named = {"exit code": self.code, "compared": self.compared, "peak memory, MB": self.memory}
        return {**named, "traceback": trace}


def attack(context: Context) -> Iterator[Outcome]:
    whole = context.folder / MONTH
    whole.mkdir()
    write_month(whole, companies(11, COMPANIES), DAY)
    plain = _build(context, whole)
    for name, spoil in (("a size field that lies", _lie), ("a line of 60 MB", _stretch)):
        found = _build(context, _spoilt(context, spoil))
        outcome = Outcome("archives", name)
        outcome.spent = {**found.spent, "compared without it": plain.compared}
        compared = plain.compared if found.code else found.compared
        outcome.checks = [
            Check("compared where the month is accepted", compared, least=plain.compared * SAMPLE_SHARE),
            Check("tracebacks", int(found.is_trace), most=0),
        ]
        yield outcome
    found = _build(context, _spoilt(context, _blow_up))
    outcome = Outcome("archives", f"a zip of {LINES * 2 // 10**6} MB in {LINES // 10**6} million lines")
    outcome.spent = found.spent
    outcome.checks = [
        Check("peak memory, MB", round(found.memory), most=MOST_MEMORY),
        Check("tracebacks", int(found.is_trace), most=0),
    ]
    yield outcome


def _build(context: Context, month: Path) -> Built:
    """Build the month's copy in a process that may not use more memory than the machine can spare."""
    output = context.fresh_folder() / "output.txt"
    limit = (LIMIT_OF_MEMORY, LIMIT_OF_MEMORY)
    with output.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "-m", "brskills_server.snapshot_builder", "build", str(month)],
            cwd=context.checkout,
            env=environment_of(context.checkout, REGISTRY_COPY=str(output.parent / "copy"), STORE="memory"),
            stdout=sink,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = output.read_text(errors="replace")
    compared = re.search(r"cross-check: ([\d,]+) compared", text)
    return Built(
        process.returncode,
        int(compared[1].replace(",", "")) if compared else 0,
        round(used.ru_maxrss / 1024),
        "Traceback" in text,
    )


def _spoilt(context: Context, spoil: Callable[[Path], None]) -> Path:
    folder = context.fresh_folder() / MONTH
    shutil.copytree(context.folder / MONTH, folder)
    spoil(folder)
    return folder


def _lie(folder: Path) -> None:
    """The directory gives another size than the member has."""
    content = bytearray((folder / FILE).read_bytes())
    place = content.rindex(b"PK\x01\x02") + _SIZE_IN_DIRECTORY
    (size,) = struct.unpack_from("<I", content, place)
    struct.pack_into("<I", content, place, min(size * TIMES_TOO_LARGE, 2**32 - 2))
    (folder / FILE).write_bytes(content)


def _stretch(folder: Path) -> None:
    with zipfile.ZipFile(folder / FILE) as archive:
        rows = archive.read(archive.infolist()[0])
    write_member(folder / FILE, members(DAY)[FILE], rows + b'"' + b"x" * LONG_LINE + b'"\n', DAY)


def _blow_up(folder: Path) -> None:
    write_member(folder / FILE, members(DAY)[FILE], b'"a\n' + b"x\n" * LINES, DAY)
