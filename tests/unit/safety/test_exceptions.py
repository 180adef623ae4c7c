"""Whatever a linter for safety is told to let pass says why, where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.services.expanded import expand, for_linters, read

ROOT = Path(__file__).parents[3]
ROOMS = (
    "layers",
    "functions",
    "package",
    "requirements",
    "on-premise",
    "guides",
)
ROOMS += ("clients", "examples", "tests")
EXCEPTION = re.compile(r"# noqa: *((?:[A-Z]+\d+,? ?)+)(.*)")


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from (path for path in (ROOT / room).rglob("*.py") if "node_modules" not in path.parts)


def test_an_exception_from_a_rule_of_safety_says_why() -> None:
    said = [
        (str(path.relative_to(ROOT)), found[2].strip(" ,-"))
        for path in sources()
        for found in EXCEPTION.finditer(path.read_text(encoding="utf-8"))
        if re.search(r"\bS\d", found[1])
    ]
    assert len(said) > 20, "the search finds those that there are"
    assert [path for path, why in said if len(why) < 4] == []


def skips() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every exception from checkov in the expanded template, by the resource's name."""
    for name, resource in for_linters(expand(read()))["Resources"].items():
        for skip in resource.get("Metadata", {}).get("checkov", {}).get("skip", []):
            yield name, skip


def test_an_exception_from_checkov_says_why_on_the_resource() -> None:
    found = list(skips())
    assert {"PixFunction", "AccessTable", "PixLogs"} <= {name for name, _ in found}
    for name, skip in found:
        assert re.fullmatch(r"CKV2?_AWS_\d+", skip["id"]), name
        assert len(skip["comment"]) > 40, (name, skip["id"])


def test_the_stage_that_sam_makes_has_the_exceptions_of_its_api() -> None:
    of_stage = {skip["id"] for name, skip in skips() if name.endswith("Stage")}
    assert of_stage == {skip["id"] for name, skip in skips() if name == "Api"} != set()


def test_the_table_in_the_documents_has_the_exceptions_that_there_are() -> None:
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    assert set(re.findall(r"CKV2?_AWS_\d+", text)) == {skip["id"] for _, skip in skips()}
