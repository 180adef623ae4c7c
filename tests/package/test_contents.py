"""The package holds what its lists say, and nothing of the machine that built it."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from brskills_server.runtime.settings import VERSION
from requirements.lock import pins
from tests.services.gateway import ROOT
from tests.services.package import MADE_BY_SITE, SERVER, WITH_COPY

LISTS = {SERVER: "requirements/server.txt", WITH_COPY: "requirements/copy.txt"}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def name_of(wheel: Path) -> str:
    return re.sub(r"[-_.]+", "-", wheel.name.split("-")[0]).lower()


PLACES = ("functions", "layers/shared/brskills_server")
OF_AWS = (
    "functions/gateway_keys",
    "functions/probe",
    "layers/shared/brskills_server/snapshot_builder/Dockerfile",
)


@pytest.fixture(scope="module")
def wheels(unpacked: Path) -> list[Path]:
    return sorted((unpacked / "wheels").iterdir())


@pytest.fixture(scope="module")
def bill(unpacked: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((unpacked / "sbom.cdx.json").read_text())
    return content


@pytest.fixture(scope="module")
def own(unpacked: Path) -> Path:
    return unpacked / f"wheels/brskills_server-{VERSION}-py3-none-any.whl"


def test_every_file_has_its_sum(unpacked: Path) -> None:
    listed = dict(reversed(line.split("  ")) for line in (unpacked / "SHA256SUMS").read_text().splitlines())
    files = [path for path in unpacked.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    assert listed == {str(path.relative_to(unpacked)): digest(path) for path in files}


def test_the_wheels_are_those_of_the_projects_list(name: str, unpacked: Path, wheels: list[Path]) -> None:
    expected = {**pins(ROOT / LISTS[name]), "brskills-server": VERSION, "brskills-codes": VERSION}
    assert {name_of(wheel): wheel.name.split("-")[1] for wheel in wheels} == expected
    assert pins(unpacked / "requirements.txt") == expected


def test_every_wheel_is_listed_by_its_hash(unpacked: Path, wheels: list[Path]) -> None:
    listed = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", (unpacked / "requirements.txt").read_text()))
    assert {digest(wheel) for wheel in wheels} <= listed


def test_the_bill_of_materials_is_of_exactly_these_wheels(bill: dict[str, Any], wheels: list[Path]) -> None:
    components = [bill["metadata"]["component"], *bill["components"]]
    contents = {
        reference["url"]: (component["name"], component["version"], reference["hashes"][0]["content"])
        for component in components
        for reference in component["externalReferences"]
    }
    assert contents == {
        f"wheels/{wheel.name}": (name_of(wheel), wheel.name.split("-")[1], digest(wheel)) for wheel in wheels
    }


def test_the_bill_of_materials_tells_licences_and_who_needs_what(bill: dict[str, Any]) -> None:
    assert all(component["licenses"] for component in bill["components"])
    needed = {entry["ref"]: entry.get("dependsOn", []) for entry in bill["dependencies"]}
    root = bill["metadata"]["component"]["bom-ref"]
    reached, waiting = set(), [root]
    while waiting:
        reached.add(name := waiting.pop())
        waiting += set(needed[name]) - reached
    assert reached == {root, *(component["bom-ref"] for component in bill["components"])}


def test_no_list_says_where_packages_come_from(unpacked: Path) -> None:
    assert "://" not in (unpacked / "requirements.txt").read_text()
    bill = json.loads((unpacked / "sbom.cdx.json").read_text())
    assert bill.pop("$schema")
    assert "://" not in json.dumps(bill)


def test_the_servers_wheel_is_whole(own: Path) -> None:
    """Every file of the server that the repository keeps, the template, and what `make site` makes."""
    listed = subprocess.run(
        ["git", "ls-files", *PLACES], cwd=ROOT, check=True, capture_output=True, text=True
    )
    kept = [path for path in listed.stdout.split() if not path.startswith(OF_AWS)]
    made = [path for place in MADE_BY_SITE for path in place.rglob("*.*") if not path.name.startswith(".")]
    sources = {*kept, *(path.relative_to(ROOT).as_posix() for path in made), "template.yaml"}
    names = {name for name in ZipFile(own).namelist() if ".dist-info/" not in name}
    assert names == {
        f"brskills_server/{path.removeprefix('layers/shared/brskills_server/')}" for path in sources
    }
