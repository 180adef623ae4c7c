"""The collections for Postman and Bruno, and the guide's examples, send what the OpenAPI document shows."""

import io
import json
import re
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY, Settings
from brskills_server.web.openapi.document import document
from package.collections.__main__ import make
from package.collections.snippets import FOLDER, programs
from tests.for_each import for_each
from tests.services.gateway import ROOT

BASE = "http://127.0.0.1:8000"
DOCUMENT = document(BASE, Settings.from_environment({}))
ENDS_SOMETHING = {
    "createCheckout", "endGrant", "openBillingPortal", "receiveBillingEvent", "revokeApiKey", "rotateApiKey",
}  # fmt: skip
PROGRAMS = ["example.php", "Example.java", "example.go", "Example.cs"]


class Sent(NamedTuple):
    """One request as a file writes it; ``options`` are names of what is switched off."""

    method: str
    url: str
    headers: dict[str, str]
    body: Any
    options: set[str]


def examples(operation: dict[str, Any]) -> list[Any]:
    """Return the bodies that the document shows for an operation, ``None`` for one without a body."""
    if "requestBody" not in operation:
        return [None]
    shown = operation["requestBody"]["content"]["application/json"]["examples"]
    return [each["value"] for each in shown.values()]


def expected() -> dict[str, Sent]:
    """Return the requests by operation, read from the document without the code under test."""
    found = {}
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            if operation["operationId"] in ENDS_SOMETHING:
                continue
            parameters = [each for each in operation["parameters"] if "name" in each]
            filled = path
            for each in parameters:
                filled = filled.replace(f"{{{each['name']}}}", str(each["example"]))
            key = {"X-API-Key": "{{api_key}}"} if operation.get("security", DOCUMENT["security"]) else {}
            typed = {"Content-Type": "application/json"} if "requestBody" in operation else {}
            options = {each["name"] for each in parameters if each["in"] != "path"} - {"X-API-Key"}
            found[operation["summary"]] = Sent(
                method.upper(), "{{base_url}}" + filled, key | typed, examples(operation)[0],
                options | {"Accept-Language"},
            )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clients")
    make(folder)
    return folder


def test_postmans_requests_are_the_documents(folder: Path) -> None:
    collection = json.loads((folder / "brskills.postman_collection.json").read_text("utf-8"))
    assert collection["info"]["schema"].endswith("/collection/v2.1.0/collection.json")
    assert collection["info"]["name"] == "brskills"
    assert [group["name"] for group in collection["item"]] == [
        tag["name"] for tag in DOCUMENT["tags"] if tag["name"] != "Cobrança"
    ]
    variables = {each["key"]: each["value"] for each in collection["variable"]}
    assert variables == {"base_url": BASE, "api_key": PUBLISHED_DEMO_KEY}
    items = [item for group in collection["item"] for item in group["item"]]
    assert {item["name"]: from_postman(item["request"]) for item in items} == expected()
    assert len(items) == len(expected())


def from_postman(request: dict[str, Any]) -> Sent:
    url = request["url"]
    assert url["raw"] == "/".join([*url["host"], *url["path"]])
    listed = [*request["header"], *url["query"]]
    assert all(each["disabled"] for each in url["query"])
    return Sent(
        request["method"],
        url["raw"],
        {each["key"]: each["value"] for each in listed if not each.get("disabled")},
        json.loads(request["body"]["raw"]) if "body" in request else None,
        {each["key"] for each in listed if each.get("disabled")},
    )


def test_brunos_requests_are_the_documents(folder: Path) -> None:
    with ZipFile(io.BytesIO((folder / "brskills-bruno.zip").read_bytes())) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert json.loads(files.pop("brskills/bruno.json")) == {
        "version": "1", "name": "brskills", "type": "collection",
    }  # fmt: skip
    variables = entries(blocks(files.pop("brskills/environments/brskills.bru"))["vars"])
    assert variables == {"base_url": BASE, "api_key": PUBLISHED_DEMO_KEY}
    assert dict(from_bruno(text) for text in files.values()) == expected()
    assert len(files) == len(expected())


def blocks(text: str) -> dict[str, str]:
    """Return the blocks of a .bru file by name: each ends with a brace at the start of a line."""
    found = re.findall(r"^([\w:]+) \{\n(.*?)^\}\n", text, re.MULTILINE | re.DOTALL)
    assert re.sub(r"^[\w:]+ \{\n.*?^\}\n", "", text, flags=re.MULTILINE | re.DOTALL).strip() == ""
    return dict(found)


def entries(block: str) -> dict[str, str]:
    return dict(line.strip().split(": ", 1) for line in block.splitlines())


def from_bruno(text: str) -> tuple[str, Sent]:
    found = blocks(text)
    (method,) = found.keys() & {"get", "post", "patch", "delete"}
    request, headers = entries(found[method]), entries(found.get("headers", ""))
    assert request["body"] == ("json" if "body:json" in found else "none")
    listed = headers | entries(found.get("params:query", ""))
    return entries(found["meta"])["name"], Sent(
        method.upper(),
        request["url"],
        {name: value for name, value in listed.items() if not name.startswith("~")},
        json.loads(found["body:json"]) if "body:json" in found else None,
        {name[1:] for name in listed if name.startswith("~")},
    )


def test_the_files_are_the_same_when_made_again(folder: Path, tmp_path: Path) -> None:
    make(tmp_path)
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_the_examples_are_current() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == programs(), (
        "run `make reference`"
    )


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


@for_each("name", PROGRAMS)
def test_the_examples_send_what_the_document_shows(name: str) -> None:
    program = (FOLDER / name).read_text("utf-8")
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
