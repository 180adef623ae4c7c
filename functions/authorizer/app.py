"""The gateway's authorizer: whose key this is, and which usage plan throttles it.

API Gateway caches the answer by key for a minute; the functions check the key again at every call,
so what is cached decides only the throttle.
"""

import os
import time
from typing import Any

from access import DEMO, InvalidKey
from wiring.services import open_services

accounts = open_services().accounts
gateway_key_prefix = os.environ.get("GATEWAY_KEY_PREFIX", "brskills-local")


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Allow with account and usage plan, or deny an unknown key.

    Raises ``Exception("Unauthorized")`` where no key is sent.
    """
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    api_key = (headers.get("x-api-key") or "").strip()
    if not api_key:
        raise Exception("Unauthorized")  # noqa: TRY002, API Gateway knows a missing key by exactly this text
    try:
        caller, account = accounts.identify(api_key)
    except InvalidKey:
        return _policy("Deny", event["methodArn"], "unknown")
    plan = DEMO
    if account is not None:
        plan = "spent" if account.quota(time.time()).used_up else account.plan
    return {
        **_policy("Allow", event["methodArn"], caller.account),
        "context": {"account": caller.account, "key": caller.key},
        "usageIdentifierKey": f"{gateway_key_prefix}-{plan}-plan-gateway-key",
    }


def _policy(effect: str, method_arn: str, principal: str) -> dict[str, Any]:
    # A cached policy serves every route, so it must cover the whole stage: arn:…:api/stage/…
    stage = "/".join(method_arn.split("/")[:2])
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": f"{stage}/*"}
    return {
        "principalId": principal,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
    }
