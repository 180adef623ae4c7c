"""The authorizer of API Gateway: the account of a key, and the gateway key that throttles it.

API Gateway caches the answer by key for a minute. The functions check the key again at every call, so the
cache affects only the throttle.
"""

import os
import time
from typing import Any

from brskills_server import telemetry
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.accounts.throttle_groups import throttle_group_of
from brskills_server.runtime.services import open_services
from brskills_server.telemetry.outcome import LOG_FIELDS, CallOutcome, record_outcome

services = open_services()
accounts, tally = services.accounts, services.tally
_SKILLS = "/api/v1/skills/"
gateway_key_prefix = os.environ.get("GATEWAY_KEY_PREFIX", "brskills-local")


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return a policy that allows a key, with its account and gateway key, or denies an unknown one.

    Raise ``Exception("Unauthorized")`` without a key, and ``StoreUnavailable``: no function runs then, so a
    failed call of a skill is recorded here.
    """
    try:
        return _decide(event)
    finally:
        telemetry.flush()


def _decide(event: dict[str, Any]) -> dict[str, Any]:
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    api_key = headers.get("x-api-key") or ""
    if not api_key:
        raise Exception("Unauthorized")  # noqa: TRY002, API Gateway recognizes a missing key by exactly this text
    try:
        # A key of spaces is denied as well: an error of the function would raise an alarm.
        caller, account = accounts.identify(api_key.strip())
    except InvalidKey:
        return _policy("Deny", event["methodArn"], "unknown")
    except StoreUnavailable:
        _count_failure(event)
        raise
    finally:
        tally.flush_if_due()
    return {
        **_policy("Allow", event["methodArn"], caller.account),
        "context": {"account": caller.account, "key": caller.key},
        "usageIdentifierKey": f"{gateway_key_prefix}-{throttle_group_of(account, time.time())}",
    }


def _count_failure(event: dict[str, Any]) -> None:
    route = str(event.get("resource") or "")
    if not route.startswith(_SKILLS):
        return
    from aws_lambda_powertools import Logger  # slow to import, and rarely needed

    outcome = CallOutcome(route.removeprefix(_SKILLS).partition("/")[0])
    outcome.end_with("failed")
    fields = record_outcome(outcome, tally)
    event.get(LOG_FIELDS, {}).update(fields)
    Logger(service="authorizer").info("call", route=f"{event.get('httpMethod')} {route}", **fields)


def _policy(effect: str, method_arn: str, principal: str) -> dict[str, Any]:
    # A cached policy serves every route, so it must cover the whole stage: arn:…:api/stage/…
    stage = "/".join(method_arn.split("/")[:2])
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": f"{stage}/*"}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}
