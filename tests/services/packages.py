"""Packages that declare custom skills, laid into a folder as pip lays them, without pip and network."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

from brskills_server.skills.custom import ENTRY_POINTS
from tests.fakes import odd_skills
from tests.services.gateway import ROOT

EXAMPLE = ROOT / "examples/custom_skill"


def install(source: Path, target: Path) -> None:
    """What pip would put into ``target`` of a package of plain Python with a ``pyproject.toml``."""
    described = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    project = described["project"]
    for package in described["tool"]["setuptools"]["packages"]:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source / package, target / package, ignore=ignored, dirs_exist_ok=True)
    declare(target, project["name"], project["entry-points"][ENTRY_POINTS], project["version"])


def declare(target: Path, name: str, skills: Mapping[str, str], version: str = "1.0") -> None:
    """The metadata of a package whose entry points name these skills."""
    info = target / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [f"{skill} = {place}" for skill, place in skills.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{ENTRY_POINTS}]", *lines, ""]))


def python_path(*folders: Path) -> dict[str, str]:
    """The environment of a process that has these folders beside the project's own."""
    return {"PYTHONPATH": ":".join(["layers/shared", *map(str, folders)])}


def install_all(target: Path) -> None:
    """The example, and a package of skills that misbehave."""
    install(EXAMPLE, target)
    shutil.copy(odd_skills.__file__, target / "odd_skills.py")
    declare(target, "odd-skills", {name: f"odd_skills:{place}" for name, place in odd_skills.ALL.items()})
