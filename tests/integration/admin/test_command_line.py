"""The operator's command line as a process of its own, against a DynamoDB that is not AWS's."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.services.gateway import ROOT
from tests.services.tables import new_client, new_table


def test_what_one_command_writes_the_next_one_reads(dynamodb_endpoint: str) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nowhere",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL_DYNAMODB": dynamodb_endpoint,
        "ACCESS_TABLE": new_table(new_client(dynamodb_endpoint), "Access"),
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "admin", *arguments]
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    opened = run("open", "enterprise", "--email", "ti@exemplo.com.br")
    account = opened.split()[1]
    assert account in run("find", "ti@")
