"""A person at the consent page, who pastes a key and agrees.

``PERSON_KEY=KEY python person.py ADDRESS`` does so, and follows the redirect.
"""

from __future__ import annotations

import os
import re
import sys
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from urllib.parse import parse_qsl, urlencode, urlsplit

SECONDS = 30


def agree(address: str, key: str) -> str:
    """Return the address of the redirect."""
    page = _ask("GET", address)
    (token,) = re.findall(r'name="token" value="(\w+)"', page.read().decode())
    site = urlsplit(address)
    headers = {
        "Cookie": page.headers["Set-Cookie"].partition(";")[0],
        "Origin": f"{site.scheme}://{site.netloc}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    form = urlencode({"token": token, "key": key, "answer": "allow"})
    agreed = _ask("POST", address, form, headers)
    assert agreed.status == 303, agreed.read().decode()
    return agreed.headers["Location"]


def answer_in(address: str) -> dict[str, str]:
    """Return the parameters of the address of the redirect."""
    return dict(parse_qsl(urlsplit(address).query))


def visit(address: str) -> None:
    """Open an address and wait until it has answered."""
    _ask("GET", address).read()


def _ask(method: str, address: str, body: str = "", headers: dict[str, str] | None = None) -> HTTPResponse:
    site = urlsplit(address)
    connection = {"http": HTTPConnection, "https": HTTPSConnection}[site.scheme](site.netloc, timeout=SECONDS)
    connection.request(method, f"{site.path}?{site.query}", body or None, headers or {})
    return connection.getresponse()


if __name__ == "__main__":
    visit(agree(sys.argv[1], os.environ["PERSON_KEY"]))
