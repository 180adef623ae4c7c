"""GET /clients/…: the libraries, installed from the service itself."""

import hashlib
import re

import httpx


def test_the_files_of_the_install_lines_have_their_digests(api: httpx.Client) -> None:
    answer = api.get("/clients/install.txt")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    (media_type,) = set(re.findall(r"'Accept: (application/zip)'", answer.text))
    addresses = re.findall(r"https?://\S+\.whl", answer.text)
    assert len(addresses) == 2
    for address in addresses:
        name = address.rpartition("/")[2]
        found = api.get(f"/clients/{name}", headers={"Accept": media_type})
        assert found.headers["content-type"] == media_type
        assert f"{hashlib.sha256(found.content).hexdigest()}  {name}" in answer.text


def test_a_file_that_does_not_exist_is_a_problem(api: httpx.Client) -> None:
    answer = api.get("/clients/brskills-0.0-py3-none-any.whl")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
