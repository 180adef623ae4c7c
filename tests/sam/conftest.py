"""`sam local`: the real runtime loop in Docker, over the artefacts of `make build`.

The store listens on Docker's bridge, an address of this machine alone that containers can reach.
"""

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import boto3
import pytest

from brskills_server.adapters.dynamodb.local import create_missing_tables
from brskills_server.gateway.template import load
from tests.services.gateway import environment_of, store

SAM = str(environment_of("sam") / "bin/sam")
ARCHITECTURE = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
FLAGS = [
    *("--template", ".aws-sam/build/local.yaml"),
    *("--parameter-overrides", f"Architecture={ARCHITECTURE}"),
    *os.environ.get("SAM_LOCAL_FLAGS", "").split(),
]


@pytest.fixture(scope="session")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file of environment variables that points the functions at a store with tables."""
    with store(_bridge_address()) as endpoint:
        create_missing_tables(boto3.client("dynamodb", endpoint_url=endpoint), load().tables)
        values = {
            "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
            "ACCESS_TABLE": "Access",
            "WATCHES_TABLE": "Watches",
            "COMPANIES_TABLE": "Companies",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "sa-east-1",
        }
        file = tmp_path_factory.mktemp("sam") / "variables.json"
        file.write_text(json.dumps({"Parameters": values}))
        yield file


def _bridge_address() -> str:
    shown = subprocess.run(["docker", "network", "inspect", "bridge"], check=True, capture_output=True).stdout
    config = json.loads(shown)[0]["IPAM"]["Config"][0]
    return config.get("Gateway") or str(next(ip_network(config["Subnet"]).hosts()))
