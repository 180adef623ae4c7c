"""The code of guides and READMEs, run as it is shown, with the answers that they show."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.for_each import for_each
from tests.integration.docs.blocks import Block, agrees, blocks_of
from tests.services.gateway import ROOT
from tests.services.gateway_thread import gateway_thread

DOCUMENTS = [*ROOT.glob("README*.md"), *sorted(ROOT.glob("docs/guides/*/*.md"))]
NOWHERE = "http://127.0.0.1:9"
WRITTEN = "http://127.0.0.1:8000"
PROGRAMS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}
STARTS_A_SERVICE = ("make ", "docker ")

Step = tuple[Block, Block | None]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with gateway_thread(SIGNUPS_PER_DAY="1000", REGISTRY_PROVIDERS="opencnpj", OPENCNPJ_URL=NOWHERE) as base:
        yield base


def steps(document: Path) -> list[Step]:
    """Return the blocks to run, each with the answer shown right after it."""
    found = [*blocks_of(document), None]
    return [
        (block, following if following and following.language == "json" and following.follows else None)
        for block, following in pairwise(found)
        if block and block.language in PROGRAMS and not block.reason
        and not block.content.startswith(STARTS_A_SERVICE)
    ]  # fmt: skip


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_code_runs_and_answers_as_shown(document: Path, address: str, tmp_path: Path) -> None:
    assert steps(document)
    variables = {
        "PYTHONPATH": f"{ROOT}/clients/python/src:{ROOT}/layers/shared",
        "BRSKILLS_API_KEY": httpx.post(f"{address}/api/v1/keys", json={}).json()["api_key"],
        "BRSKILLS_URL": address,
        "HOME": str(tmp_path),
    }
    # Each document has the demo key's month of another address.
    options = f"interface = 127.0.1.{DOCUMENTS.index(document) + 1}\n"
    for block, shown in steps(document):
        (tmp_path / ".curlrc").write_text(options if shown else f"{options}fail-with-body\n")
        place = f"{document.name}:{block.line}"
        done = subprocess.run(
            [*PROGRAMS[block.language], block.content.replace(WRITTEN, address)],
            cwd=tmp_path,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, f"{place}: {done.stderr}"
        if shown:
            answered = last_json(done.stdout.replace(address, WRITTEN))
            assert agrees(json.loads(shown.content), answered), f"{place}: {json.dumps(answered)[:2000]}"


def last_json(output: str) -> Any:
    """Return the last JSON document of an output, which may have lines before it."""
    for line in range(len(lines := output.splitlines())):
        try:
            return json.loads("\n".join(lines[line:]))
        except ValueError:
            continue
    raise AssertionError(f"no JSON: {output[:500]}")


@for_each("document", DOCUMENTS)
def test_a_block_that_is_not_run_says_why(document: Path) -> None:
    assert all(len(block.reason) > 10 for block in blocks_of(document) if block.reason)


@pytest.mark.parametrize(
    ("shown", "answered", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"c": "…", "…": "…"}, {"a": 1}, False),
        ({"a": "brsk_…"}, {"a": "brsk_1"}, True),
        ({"a": "brsk_…"}, {"a": "key"}, False),
        ([1, "…"], [1, 2], True),
        ([1], [1, 2], False),
        ([1, "…", 4], [1, 2, 3, 4], True),
        ([1, "…", 4], [4], False),
        (True, 1, False),
    ],
)
def test_an_answer_is_compared_with_what_is_shown(shown: Any, answered: Any, same: bool) -> None:
    assert agrees(shown, answered) is same
