"""Reading a request from an address: what is a number there is so by the request's model."""

import re
from typing import Any
from urllib.parse import unquote

from pydantic import BaseModel

from skills.refusals import InvalidRequest, RequestFault
from skills.validation import is_whole_number
from web.request import Request

__all__ = ["read_address"]


def read_address(model: type[BaseModel], request: Request) -> dict[str, Any]:
    """The content of a request that stands in path and query; a model of nothing reads nothing."""
    if not model.model_fields:
        return {}
    content: dict[str, Any] = {name: unquote(value) for name, value in request.path_parameters.items()}
    for name, values in request.query.items():
        if name in request.path_parameters:
            known = ", ".join(field for field in model.model_fields if field not in content)
            raise InvalidRequest(RequestFault(name, "unknown_field", {"known": known}))
        content[name] = _number(",".join(values)) if is_whole_number(model, name) else values[-1]
    return content


def _number(text: str) -> int | str:
    """A query holds only text; what is not a number is left for the model to refuse."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text
