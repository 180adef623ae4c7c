"""Dedicated gateway keys at API Gateway, named ``<stack>-<plan>-<account>``.

A key's value is its name, and values are unique in an AWS account: so an account never gets two keys.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.accounts.dedicated_gateway_keys import GatewayKey, GatewayKeys
from brskills_server.accounts.errors import GatewayUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.throttle_groups import dedicated_key_name
from brskills_server.adapters.aws import aws_client

_ACCOUNT = "acc_"  # prefix of an account's id, and of no shared key


def open_gateway_keys(environment: Mapping[str, str]) -> GatewayKeys:
    """Return the keys of ``GATEWAY_KEY_PREFIX`` in ``PRO_USAGE_PLAN`` …; raise ``KeyError`` without one."""
    config = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 4})
    plans = {plan.id: environment[f"{plan.id.upper()}_USAGE_PLAN"] for plan in PLANS.values() if plan.is_paid}
    return ApiGatewayKeys(aws_client("apigateway", config), environment["GATEWAY_KEY_PREFIX"], plans)


class ApiGatewayKeys(GatewayKeys):
    """``GatewayKeys``; ``usage_plans``: plan → id of its usage plan, for plans with dedicated keys."""

    def __init__(self, client: Any, prefix: str, usage_plans: Mapping[str, str]) -> None:
        self._client = client
        self._prefix = prefix + "-"
        self._usage_plans = usage_plans

    def list(self) -> list[GatewayKey]:
        """GetUsagePlanKeys for each plan and GetApiKeys, a request for each page."""
        working = {
            (plan, key["id"])
            for plan, usage_plan in self._usage_plans.items()
            for key in self._pages("get_usage_plan_keys", usagePlanId=usage_plan)
        }
        keys = self._pages("get_api_keys", nameQuery=self._prefix)
        return [found for key in keys if (found := self._own(key, working)) is not None]

    def create(self, plan: str, account: str) -> None:
        """CreateApiKey and CreateUsagePlanKey."""
        name = self._prefix + dedicated_key_name(plan, account)
        with _translate_errors():
            key = self._client.create_api_key(name=name, value=name, enabled=True)
            usage_plan = self._usage_plans[plan]
            self._client.create_usage_plan_key(usagePlanId=usage_plan, keyId=key["id"], keyType="API_KEY")

    def delete(self, key: str) -> None:
        """DeleteApiKey, which also takes the key out of its usage plan."""
        with _translate_errors(), suppress(self._client.exceptions.NotFoundException):
            self._client.delete_api_key(apiKey=key)

    def _own(self, key: dict[str, Any], working: set[tuple[str, str]]) -> GatewayKey | None:
        """Return the key unless it is shared, or of another stack whose name has this prefix."""
        name = key.get("name", "")
        plan, _, account = name.removeprefix(self._prefix).partition("-")
        if not (name.startswith(self._prefix) and plan in self._usage_plans and account.startswith(_ACCOUNT)):
            return None
        works = key["enabled"] and (plan, key["id"]) in working
        return GatewayKey(key["id"], plan, account, key["createdDate"].timestamp(), works)

    def _pages(self, operation: str, **request: str) -> Iterator[dict[str, Any]]:
        pages = self._client.get_paginator(operation).paginate(**request, PaginationConfig={"PageSize": 500})
        with _translate_errors():
            for page in pages:
                yield from page["items"]


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise AWS's errors as ``GatewayUnavailable`` with codes only: a message may quote a key's name."""
    try:
        yield
    except ClientError as error:
        raise GatewayUnavailable(error.response["Error"]["Code"]) from None
    except BotoCoreError as error:
        raise GatewayUnavailable(type(error).__name__) from None
