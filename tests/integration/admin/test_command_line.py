"""The operator's command line as a process, with local stores."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import ROOT
from tests.services.tables import new_client, new_table


def test_what_one_command_writes_the_next_one_reads(dynamodb_endpoint: str) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nowhere",
        "PYTHONPATH": "layers/shared",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL_DYNAMODB": dynamodb_endpoint,
        "ACCESS_TABLE": new_table(new_client(dynamodb_endpoint), "Access"),
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "brskills_server.admin", *arguments]
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    opened = run("open", "enterprise", "--email", "ti@exemplo.com.br")
    account = opened.split()[1]
    assert account in run("find", "ti@")
    assert len({run("rotate-proof-key") for _ in range(3)}) == 3


def test_ctrl_c_breaks_a_move_off_in_one_line(tmp_path: Path) -> None:
    source, target = tmp_path / "source.db", tmp_path / "target.db"
    open_at(f"sqlite:///{source}").open_maintenance().prepare()
    gc.collect()  # the connection closes with what opened it
    journal = source.with_name("source.db-wal")
    assert not journal.exists()  # nobody has the source open yet
    with closing(sqlite3.connect(target, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # the move waits for it
        moving = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "brskills_server.admin",
                "move",
                f"sqlite:///{source}",
                f"sqlite:///{target}",
            ],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": "layers/shared"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while moving.poll() is None and not journal.exists():
            time.sleep(0.01)
        moving.send_signal(signal.SIGINT)
        printed = moving.communicate(timeout=60)
    assert (moving.returncode, printed) == (130, ("", "\ninterrupted, check before you repeat it\n"))
