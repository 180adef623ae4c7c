"""Reading a request from path and query, where its fields decide which texts are numbers."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import issue
from brskills_server.web.request import Request

__all__ = ["read_address"]


def read_address(fields: Mapping[str, bool], request: Request) -> dict[str, Any]:
    """Return the content of a request from path and query; nothing where it has no fields.

    ``fields``: by name, whether a field takes whole numbers and no text. Raise ``InvalidRequest`` for a query
    parameter that is in the path too.
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
    """Return a whole number; any other text is returned as it is, for the skill to reject."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text
