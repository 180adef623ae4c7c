"""Lists of packages have exact versions with their hashes, and no address."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from requirements.lock import LISTS, pins

ROOT = Path(__file__).parents[3]
GENERATED = [source.with_suffix(".txt") for source in LISTS]
HASH = r" \\\n    --hash=sha256:[0-9a-f]{64}"
PIN = rf"[a-z0-9][a-z0-9.-]*==[\w.]+( ; [^\n\\]+)?({HASH})+"
OPTION = r"--only-binary :all:|--no-binary [a-z-]+|-r [\w./-]+\.txt"
MAKEFILES = [ROOT / "Makefile", ROOT / "lab/Makefile", *ROOT.glob("layers/*/Makefile"), *ROOT.glob(".ci/*")]
SCRIPTS = [path for path in ROOT.glob("tests/**/*.py") if path != Path(__file__)]
SCRIPTS += [ROOT / "on-premise/install.py", ROOT / "requirements/install.py"]
PIP = re.compile(r"""\bpip3?["', ]+install\b.*""")

each_source = pytest.mark.parametrize("source", LISTS, ids=lambda path: str(path.relative_to(ROOT)))
each_list = pytest.mark.parametrize("listed", GENERATED, ids=lambda path: str(path.relative_to(ROOT)))


def own_names(listed: Path) -> list[str]:
    return re.findall(r"^([a-z0-9.-]+)==", listed.read_text(encoding="utf-8"), re.MULTILINE)


@each_list
def test_a_generated_list_holds_pins_with_hashes_and_nothing_else(listed: Path) -> None:
    text = listed.read_text(encoding="utf-8")
    assert re.fullmatch(rf"# [^\n:/]+\n--only-binary :all:\n(({OPTION}|{PIN})\n)+", text)


@each_source
def test_every_requirement_is_listed_in_its_version(source: Path) -> None:
    asked = re.sub(
        r"^(#.*|-[rc] .+|--no-binary .+)?\n", "", source.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert asked.count("\n") == asked.count("=="), "an exact version each"
    listed = pins(source.with_suffix(".txt"))
    assert pins(source).items() <= listed.items()


@each_source
def test_an_exception_from_wheels_is_listed(source: Path) -> None:
    excepted = re.findall(r"^--no-binary (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    listed = source.with_suffix(".txt")
    assert set(excepted) <= set(own_names(listed))
    assert excepted == re.findall(r"^--no-binary (.+)$", listed.read_text(encoding="utf-8"), re.MULTILINE)


@each_source
def test_no_package_is_listed_twice(source: Path) -> None:
    names = [name for listed in _together(source) for name in own_names(listed)]
    assert len(names) == len(set(names))


def _together(source: Path) -> set[Path]:
    others = re.findall(r"^-[rc] (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    sources = [(source.parent / other).resolve().with_suffix(".in") for other in others]
    return {source.with_suffix(".txt")}.union(*map(_together, sources))


def test_every_list_is_generated() -> None:
    beside = {path for source in LISTS for path in source.parent.glob("*.txt")}
    assert beside == set(GENERATED)


@pytest.mark.parametrize("layer", ["shared", "billing", "oauth"])
def test_a_layers_list_has_no_condition(layer: str) -> None:
    """pip would evaluate it for the machine that builds."""
    assert ";" not in (ROOT / "layers" / layer / "requirements.txt").read_text(encoding="utf-8")


def test_pip_installs_nothing_without_hashes() -> None:
    commands = {
        path.relative_to(ROOT).as_posix(): PIP.findall(path.read_text(encoding="utf-8"))
        for path in [*MAKEFILES, *SCRIPTS]
    }
    for command in [each for found in commands.values() for each in found]:
        assert "--require-hashes" in command
        assert "--no-deps" in command, "an older pip does not find packages with extras in a list"
    assert {path for path, found in commands.items() if found} == {
        *("requirements/install.py", "on-premise/install.py", "tests/packages.py"),
        *(f"layers/{layer}/Makefile" for layer in ("shared", "billing", "oauth")),
    }


EXACT = r"\d+\.\d+\.\d+(-[\w.]+)?"


@pytest.mark.parametrize(
    "folder", ["lab/clients/node", "lab/clients/agents", "lab/bench/brcode", "tests/npm/consumer"]
)
def test_node_packages_have_exact_versions_and_no_address(folder: str) -> None:
    text = (ROOT / folder / "package.json").read_text(encoding="utf-8")
    asked = json.loads(text)
    versions = asked.get("dependencies", {}) | asked.get("devDependencies", {})
    assert versions
    assert all(re.fullmatch(EXACT, version) for version in versions.values())
    assert "://" not in text


def test_the_lock_file_of_the_npm_package_is_complete() -> None:
    folder = ROOT / "clients/typescript"
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    text = (folder / "package-lock.json").read_text(encoding="utf-8")
    own, *listed = json.loads(text)["packages"].values()
    assert all(re.fullmatch(EXACT, version) for version in asked["devDependencies"].values())
    assert {kind: own[kind] for kind in ("dependencies", "devDependencies")} == {
        kind: asked[kind] for kind in ("dependencies", "devDependencies")
    }
    assert listed
    assert all(re.fullmatch(r"sha512-[\w+/]{86}==", package["integrity"]) for package in listed)
    assert "://" not in text
