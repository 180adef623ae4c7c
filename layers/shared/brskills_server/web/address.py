"""Reading a request from an address: what is a number there is so by the fields that the request has."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import issue
from brskills_server.web.request import Request

__all__ = ["read_address"]


def read_address(fields: Mapping[str, bool], request: Request) -> dict[str, Any]:
    """The content of a request that stands in path and query; without fields nothing is read.

    ``fields``: their names, and of each whether it takes whole numbers and no text.
    """
    if not fields:
        return {}
    content: dict[str, Any] = {name: unquote(value) for name, value in request.path_parameters.items()}
    for name, values in request.query.items():
        if name in request.path_parameters:
            known = ", ".join(field for field in fields if field not in content)
            raise InvalidRequest(issue(name, "unknown_field", known=known))
        content[name] = _number(",".join(values)) if fields.get(name) else values[-1]
    return content


def _number(text: str) -> int | str:
    """A query holds only text; what is not a number is left for the skill to refuse."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text
