"""Every exception from a security linter has a reason beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.services.expanded import expanded, for_linters

ROOT = Path(__file__).parents[3]
FOLDERS = (
    "layers",
    "functions",
    "package",
    "requirements",
    "on-premise",
    "guides",
    "clients",
    "examples",
    "tests",
    "lab",
)
EXCEPTION = re.compile(r"# noqa: *((?:[A-Z]+\d+,? ?)+)(.*)")


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


def test_an_exception_from_a_security_rule_has_a_reason() -> None:
    said = [
        (str(path.relative_to(ROOT)), found[2].strip(" ,-"))
        for path in sources()
        for found in EXCEPTION.finditer(path.read_text(encoding="utf-8"))
        if re.search(r"\bS\d", found[1])
    ]
    assert len(said) > 20
    assert [path for path, why in said if len(why) < 4] == []


def skips() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every exception from checkov in the expanded template, by the resource's name."""
    for name, resource in for_linters(expanded())["Resources"].items():
        for skip in resource.get("Metadata", {}).get("checkov", {}).get("skip", []):
            yield name, skip


def test_an_exception_from_checkov_has_a_reason() -> None:
    found = list(skips())
    assert {"PixFunction", "AccessTable", "PixLogs"} <= {name for name, _ in found}
    for name, skip in found:
        assert re.fullmatch(r"CKV2?_AWS_\d+", skip["id"]), name
        assert len(skip["comment"]) > 40, (name, skip["id"])


def test_the_stage_has_the_exceptions_of_its_api() -> None:
    of_stage = {skip["id"] for name, skip in skips() if name.endswith("Stage")}
    assert of_stage == {skip["id"] for name, skip in skips() if name == "Api"} != set()
