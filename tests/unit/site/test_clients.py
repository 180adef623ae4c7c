"""The client libraries that the site serves, and the lines that install them."""

import base64
import hashlib
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from brskills_server.web.pages.clients import ClientFiles
from functions.site import app

BASE = "https://api.example/v1"
FILES = {
    "brskills_codes-1-py3-none-any.whl": b"PK\xff codes",
    "brskills-1-py3-none-any.whl": b"PK\xff client",
    "brskills-1.tgz": b"\x1f\x8b npm",
    "brskills-1-npm.tar.gz": b"\x1f\x8b source",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Any:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "notes.txt").write_text("is no client")
    with mock.patch.object(app, "CLIENTS", ClientFiles(tmp_path)):
        yield tmp_path


def get(file: str, **headers: str) -> dict[str, Any]:
    event = {
        "httpMethod": "GET",
        "resource": "/clients/{file}",
        "pathParameters": {"file": file},
        "headers": {"Host": "api.example", "X-Forwarded-Proto": "https", **headers},
        "requestContext": {"requestId": "r-1", "path": f"/v1/clients/{file}", "stage": "v1"},
    }
    return app.handler(event, None)


@pytest.mark.parametrize(
    ("file", "media_type"),
    [
        ("brskills-1-py3-none-any.whl", "application/zip"),
        ("brskills-1.tgz", "application/gzip"),
        ("brskills-1-npm.tar.gz", "application/gzip"),
    ],
)
def test_a_file_is_served_byte_by_byte(file: str, media_type: str) -> None:
    answer = get(file)
    assert (answer["statusCode"], answer["headers"]["Content-Type"]) == (200, media_type)
    assert answer["isBase64Encoded"]
    assert base64.b64decode(answer["body"]) == FILES[file]
    assert get(file, **{"If-None-Match": answer["headers"]["ETag"]})["statusCode"] == 304


@pytest.mark.parametrize("file", ["notes.txt", "../app.py", "brskills-2.tgz", ""])
def test_nothing_else_is_served(file: str) -> None:
    assert get(file)["statusCode"] == 404


def test_the_lines_install_files_of_this_service_by_their_digests(folder: Path) -> None:
    answer = get("install.txt")
    assert answer["headers"]["Content-Type"] == "text/plain; charset=utf-8"
    python, npm = answer["body"].split("\n\n")
    for name, content in FILES.items():
        lines = python if name.endswith(".whl") else npm
        if name.endswith((".whl", ".tgz")):
            assert f"{BASE}/clients/{name}" in lines
            extras = "[qr,xlsx,proof]" if name.startswith("brskills-") and name.endswith(".whl") else ""
            assert f"./{name}{extras}" in lines.splitlines()[-1]
            assert f"{hashlib.sha256(content).hexdigest()}  {name}" in lines
    # What is not as it was is not installed: each command needs the one before.
    assert all(line.count(" &&") == line.endswith(" &&") for line in answer["body"].splitlines())
    checks = ["\n".join(block.splitlines()[2:-1]).removesuffix(" &&") for block in (python, npm)]
    assert answer["body"].count(" &&") == 4
    assert [runs(check, folder) for check in checks] == [True, True]
    (folder / "brskills-1.tgz").write_bytes(b"another")
    assert [runs(check, folder) for check in checks] == [True, False]


def test_without_the_npm_package_callers_build_it_from_its_source(folder: Path) -> None:
    (folder / "brskills-1.tgz").unlink()
    name = "brskills-1-npm.tar.gz"
    npm = ClientFiles(folder).install(BASE).split("\n\n")[1].splitlines()
    assert f"{BASE}/clients/{name}" in npm[1]
    assert npm[2].startswith(f"echo '{hashlib.sha256(FILES[name]).hexdigest()}  {name}'")
    assert npm[-2:] == ["npm pack ./brskills-1-npm &&", "npm install ./brskills-1.tgz"]


def runs(check: str, folder: Path) -> bool:
    return subprocess.run(["sh", "-c", check], cwd=folder, capture_output=True, check=False).returncode == 0


def test_without_files_there_are_no_lines(tmp_path: Path) -> None:
    assert ClientFiles(tmp_path / "nowhere").install(BASE) == ""
