"""The functions of the template over a store in memory, called as API Gateway calls them."""

import importlib
import json
from typing import Any

from tests.services.in_process import MANY, InProcess, NoDocuments
from tests.services.sign_in import WEB, Fields

HANDLED = ("account", "pix", "cnpj", "payee", "mcp", "custom", "oauth", "billing", "site")
ACCOUNT_ROUTES = {"/api/v1/keys/revoke", "/api/v1/keys/rotate"}
REGISTER, AUTHORIZE = "/oauth/register", "/oauth/authorize"


class Service(InProcess):
    """Handlers by the name of their function, an account without a limit, and a client that it allowed."""

    def __init__(self) -> None:
        super().__init__(
            REGISTRY_PROVIDERS="opencnpj,cnpja", DEMO_MONTHLY_LIMIT=MANY, POWERTOOLS_LOG_LEVEL="CRITICAL"
        )
        names = (*HANDLED, "authorizer")
        self.apps = {name: importlib.import_module(f"functions.{name}.app") for name in names}
        self.failure: Exception | None = None
        handlers = [app.handler for app in self.apps.values()]
        for handler in (*handlers, self.apps["site"].documents):
            if hasattr(handler, "_report"):
                handler._report = self._note
        self.apps["oauth"].documents = NoDocuments
        self.key = self.open_account("enterprise")
        body = json.dumps({"redirect_uris": [WEB]})
        registered = self._open("POST", REGISTER, body=body, path=REGISTER)
        self.client_id = json.loads(registered["body"])["client_id"]
        page = self._open("GET", AUTHORIZE, queryStringParameters=self.consent_query())
        self.cookie = page["headers"]["Set-Cookie"].partition(";")[0]
        self.form = Fields(page["body"]).values

    def _note(self, _request: object, error: Exception) -> None:
        self.failure = error

    def _open(self, method: str, resource: str, **event: Any) -> Any:
        headers = {"Host": "api.example", "X-Forwarded-Proto": "https"}
        context = {"requestId": "r", "path": resource, "identity": {"sourceIp": "192.0.2.1"}}
        given = {"httpMethod": method, "resource": resource, "headers": headers, "requestContext": context}
        return self.apps["oauth"].handler({**given, **event}, None)

    def call(self, function: str, event: dict[str, Any], requires_key: bool) -> Any:
        """Return the answer of a function, or ``None`` if the authorizer denies the event."""
        self.failure = None
        if requires_key:
            if not event["headers"].get("X-API-Key", "").strip():
                return None
            arn = {"methodArn": "arn:aws:execute-api:sa-east-1:123456789012:a/v1/GET/x"}
            decision = self.apps["authorizer"].handler({**event, **arn}, None)
            if decision["policyDocument"]["Statement"][0]["Effect"] != "Allow":
                return None
            event["requestContext"]["authorizer"] = decision["context"]
        return self.apps[function].handler(event, None)
