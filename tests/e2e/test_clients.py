"""GET /clients/…: the libraries, installed from the service itself."""

import hashlib
import re

import httpx


def test_the_files_of_the_install_lines_have_their_digests(api: httpx.Client) -> None:
    answer = api.get("/clients/install.txt")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    libraries = answer.text.split("\n\n")
    assert [library.split(maxsplit=2)[1] for library in libraries] == ["Python", "Node"]
    for library in libraries:
        (media_type,) = re.findall(r"'Accept: (\S+)'", library)
        for address in re.findall(r"https?://\S+", library):
            check_file(api, address, media_type, library)


def check_file(api: httpx.Client, address: str, media_type: str, lines: str) -> None:
    name = address.rpartition("/")[2]
    found = api.get(f"/clients/{name}", headers={"Accept": media_type})
    assert found.headers["content-type"] == media_type
    assert f"{hashlib.sha256(found.content).hexdigest()}  {name}" in lines


def test_a_file_that_does_not_exist_is_a_problem(api: httpx.Client) -> None:
    answer = api.get("/clients/brskills-0.0-py3-none-any.whl")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
