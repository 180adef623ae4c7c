"""Somebody at the page that asks whether a program may sign in: they paste a key and agree.

``PERSON_KEY=KEY python person.py ADDRESS`` does so, and goes on to where the page sends them.
"""

from __future__ import annotations

import os
import re
import sys
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from urllib.parse import parse_qsl, urlencode, urlsplit

SECONDS = 30


def agree(address: str, key: str) -> str:
    """The address that the person is sent on to."""
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
    """What a client is told by the address that the person is sent on to."""
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
