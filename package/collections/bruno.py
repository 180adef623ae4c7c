"""A Bruno collection: one ``.bru`` file for each request, in a reproducible archive."""

from __future__ import annotations

import io
import json
import textwrap
from collections.abc import Iterator
from zipfile import ZipFile, ZipInfo

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY
from package.collections.requests import BASE, Request

_FOLDER = "brskills"
_COLLECTION = {"version": "1", "name": "brskills", "type": "collection"}


def bruno(requests: list[Request]) -> bytes:
    """Return the archive: a folder for each tag, and an environment with address and key."""
    files = {
        "bruno.json": json.dumps(_COLLECTION, indent=2) + "\n",
        "environments/brskills.bru": _block("vars", {"base_url": BASE, "api_key": PUBLISHED_DEMO_KEY}),
        **{
            f"{each.tag}/{each.id}.bru": "\n".join(_blocks(each, number))
            for number, each in enumerate(requests, 1)
        },
    }
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(ZipInfo(f"{_FOLDER}/{name}"), text)
    return buffer.getvalue()


def _blocks(request: Request, number: int) -> Iterator[str]:
    body = "none" if request.body is None else "json"
    yield _block("meta", {"name": request.title, "type": "http", "seq": str(number)})
    url = f"{{{{base_url}}}}{request.path}"
    yield _block(request.method.lower(), {"url": url, "body": body, "auth": "none"})
    if request.query_options:
        yield _block("params:query", _disabled(request.query_options))
    if headers := request.headers | _disabled(request.header_options):
        yield _block("headers", headers)
    if request.body is not None:
        content = json.dumps(request.body, ensure_ascii=False, indent=2)
        yield f"body:json {{\n{textwrap.indent(content, '  ')}\n}}\n"


def _disabled(values: dict[str, str]) -> dict[str, str]:
    return {f"~{name}": value for name, value in values.items()}


def _block(name: str, values: dict[str, str]) -> str:
    lines = "".join(f"  {key}: {value}\n" for key, value in values.items())
    return f"{name} {{\n{lines}}}\n"
