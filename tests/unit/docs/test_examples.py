"""The table of the examples; programs in other languages send what the OpenAPI document shows."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY, Settings
from brskills_server.web.openapi.document import document
from tests.services.gateway import ROOT

EXAMPLES = ROOT / "examples"
BASE = "http://127.0.0.1:8000"
DOCUMENT = document(BASE, Settings.from_environment({}))
PROGRAMS = ["example.php", "Example.java", "example.go", "Example.cs"]
ROW = re.compile(r"^\| `(.+?)` \| .+? \| (.+?) \| ", re.MULTILINE)


def key_of(program: str) -> str:
    """Return where an example takes its key from."""
    if "WEBHOOK_SECRETS" in program:
        return "none: `WEBHOOK_SECRETS`"
    demo = re.search("brsk_demo[0-9A-Za-z]+", program)
    if demo:
        return (
            "`BRSKILLS_API_KEY`, else the demo key"
            if "BRSKILLS_API_KEY" in program
            else "the demo key, in the file"
        )
    return "required" if re.search(r"from (brskills|\"brskills\")", program) else "none"


def test_the_table_says_which_key_each_example_uses() -> None:
    listed = dict(ROW.findall((EXAMPLES / "README.md").read_text(encoding="utf-8")))
    files = [path for path in EXAMPLES.iterdir() if path.is_file() and path.name != "README.md"]
    assert listed == {path.name: key_of(path.read_text(encoding="utf-8")) for path in files}


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_guide_shows_every_example(language: str) -> None:
    guide = (ROOT / "docs/guides" / language / "snippets.md").read_text("utf-8")
    assert re.findall(r"^\[\S+\]\(../../../examples/languages/(\S+)\)$", guide, re.MULTILINE) == PROGRAMS


CALL = re.compile(
    r"""[cC]all\("(?P<method>[A-Z]+)",\ "(?P<path>/[^"]+)",
    \ (?P<body>\$?pix|""|'[^']*'|`[^`]*`|\"\"\"\n?.*?\"\"\")
    (?:,\ (?P<accept>"[^"]+"|json|JSON))?\)""",
    re.VERBOSE | re.DOTALL,
)
WANTED = {
    ("createPixCode", "application/json"),
    ("createPixCode", "image/png"),
    ("decodePixCode", "application/json"),
    ("checkPixPayee", "application/json"),
    ("getCompany", "application/json"),
    ("lookUpCompanies", "application/json"),
}


def examples(operation: dict[str, Any]) -> list[Any]:
    """Return the bodies that the document shows for an operation, ``None`` for one without a body."""
    if "requestBody" not in operation:
        return [None]
    shown = operation["requestBody"]["content"]["application/json"]["examples"]
    return [each["value"] for each in shown.values()]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_examples_send_what_the_document_shows(name: str) -> None:
    program = (EXAMPLES / "languages" / name).read_text("utf-8")
    (address,) = re.findall(r'"(http://[^"$]+)', program)
    assert re.search(rf'"X-API-Key(: |", "|": {{"){PUBLISHED_DEMO_KEY}"', program)
    assert re.search(r'Content-Type(: |", |": )|Encoding.UTF8, "application/json"', program)
    (pix,) = re.findall(r"pix :?= ([^;]*?\})", program)
    made = set()
    for call in CALL.finditer(program):
        operation = operation_of(call["method"], f"{address}{call['path']}".removeprefix(BASE))
        text = pix if call["body"].endswith("pix") else call["body"]
        sent = text.strip("\"'`\n")
        assert (json.loads(sent) if sent else None) in examples(operation)
        accept = (call["accept"] or "json").strip('"')
        accept = "application/json" if accept in {"json", "JSON"} else accept
        assert accept in operation["responses"]["200"]["content"]
        made.add((operation["operationId"], accept))
    assert made == WANTED


def operation_of(method: str, path: str) -> dict[str, Any]:
    """Return the operation of an address, whose path parameters have their examples."""
    for template, operations in DOCUMENT["paths"].items():
        operation: dict[str, Any] | None = operations.get(method.lower())
        if operation and path == template.replace("{cnpj}", "SANDBOX1000170"):
            return operation
    raise AssertionError(f"{method} {path} is no operation")
