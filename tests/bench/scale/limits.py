"""The limits: AWS' by the pages that publish them, ours as template, code and the bill have them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.services.expanded import expand, read

__all__ = ["AWS", "Bucket", "Ours", "Published", "ours"]

COSTS = Path(__file__).parents[3] / "docs/costs.md"


@dataclass(frozen=True)
class Published:
    """A default of AWS', and the page that says so, as read in November 2026."""

    value: float
    page: str


_GATEWAY = "Amazon API Gateway quotas"
_SCALING = "Lambda scaling behavior"
_LAMBDA = "Understanding Lambda function scaling"
_PARTITION = "Best practices for designing and using partition keys effectively in DynamoDB"
_ON_DEMAND = "DynamoDB on-demand capacity mode"

AWS = {
    "requests a second, all APIs": Published(10_000, _GATEWAY),
    "burst of all APIs": Published(5_000, _GATEWAY),
    "environments at once, all functions": Published(1_000, _LAMBDA),
    "requests a second for each of them": Published(10, _LAMBDA),
    "environments that a function begins at once": Published(1_000, _SCALING),
    "environments that it begins a second": Published(100, _SCALING),
    "units written a second, an item": Published(1_000, _PARTITION),
    "units read a second, an item": Published(3_000, _PARTITION),
    "units written a second, a new table": Published(4_000, _ON_DEMAND),
    "units read a second, a new table": Published(12_000, _ON_DEMAND),
    "units a second, any table": Published(40_000, "Quotas in Amazon DynamoDB"),
}

START_SECONDS = 0.4
"""An environment's restore, assumed: the most of what others write (docs/decisions/34-versions.md)."""


@dataclass(frozen=True)
class Ours:
    """What the template sets, and the milliseconds that the bill has for a warm run."""

    stage_rate: int
    stage_burst: int
    reauthorize: int
    slow: int
    reserving: int  # functions that reserve SlowFunctionsConcurrency
    reserved_beside: int  # what the others reserve
    seconds: dict[str, float]


@cache
def ours() -> Ours:
    """As they stand now."""
    template = expand(read())
    functions = _of_type(template, "AWS::Lambda::Function")
    reserved = [one["ReservedConcurrentExecutions"]["Fn::If"][1] for one in functions if _reserves(one)]
    fixed = [one for one in reserved if isinstance(one, int)]
    (stage,) = _of_type(template, "AWS::ApiGateway::Stage")
    default = next(one for one in stage["MethodSettings"] if one["HttpMethod"] == "*")
    runs = re.search(r"<!-- runs -->\n(.*?)<!-- /runs -->", COSTS.read_text(encoding="utf-8"), re.DOTALL)
    assert runs
    return Ours(
        stage_rate=default["ThrottlingRateLimit"],
        stage_burst=default["ThrottlingBurstLimit"],
        reauthorize=_reauthorize(template),
        slow=template["Parameters"]["SlowFunctionsConcurrency"]["Default"],
        reserving=len(reserved) - len(fixed),
        reserved_beside=sum(fixed),
        seconds={name: int(ms) / 1000 for name, ms in re.findall(r"\| (\w+) \| (\d+) \|", runs[1])},
    )


def _of_type(template: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [one["Properties"] for one in template["Resources"].values() if one["Type"] == kind]


def _reserves(function: dict[str, Any]) -> bool:
    return "ReservedConcurrentExecutions" in function


def _reauthorize(template: dict[str, Any]) -> int:
    (api,) = (body["Body"] for body in _of_type(template, "AWS::ApiGateway::RestApi"))
    authorizer = api["securityDefinitions"]["KeyAuthorizer"]["x-amazon-apigateway-authorizer"]
    return int(authorizer["authorizerResultTtlInSeconds"])


class Bucket:
    """A token bucket, full at first: ``rate`` a second, ``burst`` at most.

    Where AWS publishes no burst, a tenth of a second's.
    """

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self._most = rate / 10 if burst is None else burst
        self._tokens = self._most
        self._at = 0.0

    def take(self, now: float, wanted: int) -> int:
        """How many of so many pass."""
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate)
        self._at = now
        taken = min(wanted, int(self._tokens + 1e-6))
        self._tokens -= taken
        return taken
