"""A build of the register's snapshot in a process, as an operator starts it."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from shutil import disk_usage
from typing import NamedTuple

from tests.services.processes import descendants, memory

STEPS = {
    "read": r"Socios9\.zip",
    "joined and indexed": r"all companies",
    "packed, read again": r"cross-check|is packed",
}
"""By the last lines of each; the second reading is done while the index is packed."""


class Build(NamedTuple):
    """When each step ended, and all of it, in seconds; processor seconds; bytes of memory and of disk.

    ``memory``: resident, of all its processes together, with the pages of files that they have in common.
    """

    steps: dict[str, float]
    seconds: float
    processor: float
    memory: int
    disk: int


def build(source: Path, copy: Path) -> Build:
    """Build a month. Bytes of disk are those of the file system, for the files are thousands."""
    before, began, disk, resident = disk_usage(copy.parent).used, time.perf_counter(), 0, 0.0
    command = [sys.executable, "-u", "-m", "brskills_server.snapshot_builder", "build", str(source)]
    environment = os.environ | {"REGISTRY_COPY": str(copy)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    ends: dict[str, float] = {}

    def listen() -> None:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            now = time.perf_counter() - began
            ends.update({step: now for step, sign in STEPS.items() if re.search(sign, line)})

    listener = threading.Thread(target=listen)
    listener.start()
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        disk = max(disk, disk_usage(copy.parent).used - before)
        resident = max(resident, sum(map(memory, descendants(process.pid))))
        time.sleep(0.5)
    listener.join()
    _, code, used = ended
    process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode == 0
    seconds, processor = time.perf_counter() - began, used.ru_utime + used.ru_stime
    return Build(ends, seconds, processor, int(resident * 1024**2), disk)
