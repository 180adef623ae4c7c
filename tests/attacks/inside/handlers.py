"""The functions of the checkout on the path, over a store in memory whose operations fail at will.

Run as a program of that checkout, with this folder beside it: nothing of this repository's tests is imported.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable
from typing import Any

import brskills_server.adapters.memory
from brskills_server.accounts.errors import StoreUnavailable

__all__ = ["DEMO_KEY", "Faults", "Service"]

DEMO_KEY = "brsk_demo00000000000000000000000000001gbZMd"

Judge = Callable[[str, int], str]
"""An operation's name and its number since :meth:`Faults.begin` → ``before``, ``after`` or nothing."""


class Faults:
    """Whether an operation fails before anything was written, or after everything was."""

    def __init__(self) -> None:
        self.judge: Judge = lambda _name, _number: ""
        self._number = 0
        self.made = 0

    def begin(self, judge: Judge) -> None:
        self.judge, self._number, self.made = judge, 0, 0

    def end(self) -> None:
        self.judge = lambda _name, _number: ""

    def over(self, store: object) -> Any:
        """A store that is used as the one it is over."""
        return _FaultyStore(store, self)

    def run(self, name: str, operation: Callable[[], Any]) -> Any:
        fault = self.judge(name, self._number)
        self._number += 1
        self.made += bool(fault)
        if fault == "before":
            raise StoreUnavailable("as this test has it")
        result = operation()
        if fault == "after":
            raise StoreUnavailable("as this test has it")
        return result


class _FaultyStore:
    def __init__(self, store: object, faults: Faults) -> None:
        self._store = store
        self._faults = faults

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not callable(found):
            return found
        return lambda *values, **named: self._faults.run(name, lambda: found(*values, **named))


class Service:
    """Handlers by their function's name. ``settings``: environment variables."""

    def __init__(self, faults: Faults, **settings: str) -> None:
        os.environ |= {
            "STORE": "memory",
            "REGISTRY_COPY": os.devnull,
            "SIGNUPS_PER_DAY": "1000000000",
            "SIGNUPS_PER_MONTH": "1000000000",
            "POWERTOOLS_LOG_LEVEL": "CRITICAL",
            **settings,
        }
        opened = brskills_server.adapters.memory.open_stores

        def open_stores(settings: Any) -> Any:
            stores = opened(settings)
            return stores._replace(access=faults.over(stores.access))

        brskills_server.adapters.memory.open_stores = open_stores
        names = ("keys", "pix", "cnpj", "authorizer")
        self._handlers = {name: importlib.import_module(f"functions.{name}.app").handler for name in names}

    def new_key(self) -> str:
        key: str = self.call("keys", "POST", "/api/v1/keys")[1]["api_key"]
        return key

    def call(
        self, function: str, method: str, path: str, key: str = "", content: Any = None, **headers: str
    ) -> tuple[int, Any]:
        """Status and JSON of an answer; the authorizer is asked where there is a key, as the gateway does."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        event: dict[str, Any] = {
            "httpMethod": method,
            "resource": path,
            "path": path,
            "headers": {"Host": "api.example", "X-API-Key": key, **sent} if key else sent,
            "body": None if content is None else json.dumps(content),
            "requestContext": {"requestId": "r", "identity": {"sourceIp": "192.0.2.1"}},
        }
        if key:
            arn = {"methodArn": "arn:aws:execute-api:sa-east-1:123456789012:a/v1/GET/x"}
            try:
                verdict = self._handlers["authorizer"]({**event, **arn}, None)
            except Exception as error:  # API Gateway knows the one message, and takes any other for a failure
                return (401 if str(error) == "Unauthorized" else 503), {}
            if verdict["policyDocument"]["Statement"][0]["Effect"] != "Allow":
                return 401, {}
            event["requestContext"]["authorizer"] = verdict["context"]
        answer = self._handlers[function](event, None)
        body = answer.get("body") or "{}"
        return answer["statusCode"], json.loads(body)
