"""HTTP as API Gateway's proxy events bring it: requests, problems, languages, headers, dispatch."""

from web.application import Application, Route
from web.body import read_json, read_model
from web.problem import FieldFault, InvalidFields, Problem
from web.rates import rate_headers
from web.request import Request
from web.response import Response

__all__ = [
    "Application",
    "FieldFault",
    "InvalidFields",
    "Problem",
    "Request",
    "Response",
    "Route",
    "rate_headers",
    "read_json",
    "read_model",
]
