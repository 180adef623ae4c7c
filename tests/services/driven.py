"""Run every function of the template through all its calls, and record requests to AWS and output.

``python -m tests.services.driven`` does so in a separate process, so that no services are shared.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode, urlsplit

import boto3
from botocore.exceptions import ConnectionClosedError
from botocore.httpsession import URLLib3Session
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.grant import Client, Terms
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.companies import DynamoCompanies
from brskills_server.registry.health.breakers import FAILURES_TO_OPEN
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.services import open_services
from brskills_server.skills.catalogue import SCOPES
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe, signed
from tests.services.gateway import ROOT
from tests.services.packages import EXAMPLE, install, python_path
from tests.services.sign_in import WEB, Fields, challenge_of, parameters_of
from tests.services.tables import new_client, new_table
from tests.simulator import Simulator
from tests.simulator.paid import TOKENS

CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife", "valor": "10.00"}
VERIFIER = "v" * 43
KNOWN, OTHER, ABSENT = "33000167000101", "19131243000197", "99000000000230"


class Asked(NamedTuple):
    """One thing asked of AWS: ``at`` is an item's key, the path of a gateway's resource, or empty."""

    function: str
    action: str
    resource: str
    at: str


class Driven(NamedTuple):
    """What the functions asked, and what each printed: one object a line."""

    asked: set[Asked]
    printed: list[dict[str, Any]]


class Driver:
    """Calls functions as API Gateway does, each with separate clients."""

    def __init__(self, client: Any, tables: dict[str, str], usage_plans: dict[str, str]) -> None:
        self._client = client
        self._tables = tables
        self._usage_plans = usage_plans
        self._running = ""
        self._away = ""
        self.asked: set[Asked] = set()

    def app(self, function: str) -> Any:
        """The function's module, with separate services as in a separate process."""
        open_services.cache_clear()
        return importlib.import_module(f"functions.{function}.app")

    def run(self, function: str, event: dict[str, Any]) -> Any:
        """What the function answers to an event; what it asks meanwhile is noted as its own."""
        app = self.app(function)
        self._running = function
        try:
            return app.handler(event, None)
        finally:
            self._running = ""

    def call(
        self,
        route: str,
        content: Any = None,
        key: str | None = None,
        *,
        asks_authorizer: bool = True,
        **event: Any,
    ) -> tuple[int, Any]:
        """A route by ``function METHOD /path``: its status and what its body says."""
        function, method, resource = route.split(" ")
        event = {
            "httpMethod": method,
            "resource": resource,
            "path": resource,
            "headers": {"X-API-Key": key} if key else {},
            "body": content if isinstance(content, str | None) else json.dumps(content),
            "requestContext": {
                "requestId": "r",
                "domainName": "api.example",
                "identity": {"sourceIp": "192.0.2.1"},
            },
            **event,
        }
        if key and asks_authorizer:
            arn = f"arn:aws:execute-api:sa-east-1:123456789012:abc123/v1/{method}{resource}"
            decision = self.run("authorizer", {**event, "methodArn": arn})
            event["requestContext"]["authorizer"] = decision["context"]
        answer = self.run(function, event)
        return answer["statusCode"], json.loads(answer["body"] or "null")

    def page(
        self, route: str, query: dict[str, str], form: dict[str, str] | None = None, **headers: str
    ) -> Any:
        """A route without key by ``function METHOD /path``, with a form as its body: the answer as it is."""
        function, method, resource = route.split(" ")
        event = {
            "httpMethod": method,
            "resource": resource,
            "headers": {
                "X-Forwarded-Proto": "https",
                "Content-Type": "application/x-www-form-urlencoded",
                **headers,
            },
            "queryStringParameters": query,
            "body": urlencode(form or {}),
            "requestContext": {
                "requestId": "r",
                "domainName": "api.example",
                "path": resource,
                "identity": {"sourceIp": "192.0.2.1"},
            },
        }
        return self.run(function, event)

    @contextmanager
    def without(self, table: str) -> Iterator[None]:
        """A table is not there for the functions."""
        self._away = self._tables[table]
        yield
        self._away = ""

    def note(self, request: Any) -> None:
        """Keep what a request to AWS is about; raises where the table that it asks for is away."""
        if not self._running:
            return
        if self._away and self._away.encode() in (request.body or b""):
            raise ConnectionClosedError(endpoint_url=request.url)
        if "X-Amz-Target" not in request.headers:
            path = urlsplit(request.url).path
            for name, usage_plan in self._usage_plans.items():
                path = path.replace(usage_plan, f"${{{name}Plan}}")
            self.asked.add(Asked(self._running, f"apigateway:{request.method}", "", path))
            return
        body = json.loads(request.body)
        action = request.headers["X-Amz-Target"].decode().rpartition(".")[2]
        for done, what in _parts_of(action, body):
            item = what.get("Key") or what.get("Item") or {"pk": {"S": ""}}
            table = next(name for name, table in self._tables.items() if table == what["TableName"])
            self.asked.add(Asked(self._running, f"dynamodb:{done}", f"{table}Table", item["pk"]["S"]))

    def forget_salt(self) -> None:
        """Let the next function be the first of the month that needs one."""
        scan = self._client.scan(TableName=self._tables["Access"], ProjectionExpression="pk")
        for item in scan["Items"]:
            if item["pk"]["S"].startswith("SALT#"):
                self._client.delete_item(TableName=self._tables["Access"], Key=item)


def _parts_of(action: str, body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What is asked of single items: the action that IAM knows it by, and its parameters."""
    if "TransactItems" in body:
        return [(f"{kind}Item", what) for item in body["TransactItems"] for kind, what in item.items()]
    if "RequestItems" in body:
        tables = body["RequestItems"].items()
        return [(action, {"TableName": table, "Key": key}) for table, what in tables for key in what["Keys"]]
    return [(action, body)]


@cache
def drive(endpoint: str) -> Driven:
    """The functions over all that they do, as on AWS; usage plans are named as the template names them."""
    with tempfile.TemporaryDirectory() as folder:
        install(EXAMPLE, Path(folder))
        environment = {**os.environ, **python_path(Path(folder)), "AWS_ENDPOINT_URL_DYNAMODB": endpoint}
        environment |= {
            "AWS_LAMBDA_FUNCTION_NAME": "driven",
            "POWERTOOLS_METRICS_NAMESPACE": "brskills",
            "POWERTOOLS_SERVICE_NAME": "stack",
        }
        done = subprocess.run(
            [sys.executable, "-m", "tests.services.driven"],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    *printed, asked = map(json.loads, done.stdout.splitlines())
    return Driven({Asked(*one) for one in asked}, printed)


def main() -> None:
    """Drive them all in this process and print what they asked, behind what they log."""
    client = new_client(os.environ["AWS_ENDPOINT_URL_DYNAMODB"])
    moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    moto.start()
    os.environ["AWS_ENDPOINT_URL_API_GATEWAY"] = "http://{}:{}".format(*moto.get_host_and_port())
    gateway = boto3.client("apigateway")
    tables = {name: new_table(client, name) for name in ("Access", "Companies")}
    plans = {name: gateway.create_usage_plan(name=name)["id"] for name in ("Pro", "Enterprise")}
    driver = Driver(client, tables, plans)
    send = URLLib3Session.send

    def noted(session: Any, request: Any) -> Any:
        driver.note(request)
        return send(session, request)

    URLLib3Session.send = noted  # type: ignore[method-assign]
    with FakeStripe() as stripe, Simulator() as providers:
        os.environ |= {
            "ACCESS_TABLE": tables["Access"],
            "COMPANIES_TABLE": tables["Companies"],
            "STORE_TIMEOUT_SECONDS": "5",
            "DEMO_API_KEY": DEMO_KEY,
            "DEMO_MONTHLY_LIMIT": "1",
            "SIGNUPS_PER_DAY": "1000",
            "SIGNUPS_PER_MONTH": "1000",
            "GATEWAY_KEY_PREFIX": "stack",
            "PRO_USAGE_PLAN": plans["Pro"],
            "ENTERPRISE_USAGE_PLAN": plans["Enterprise"],
            "REGISTRY_PROVIDERS": "opencnpj,cnpja",
            "CNPJA_TOKEN": TOKENS["cnpja"],
            "STRIPE_API_KEY": API_KEY,
            "STRIPE_WEBHOOK_SECRETS": SECRET,
            "STRIPE_PRICE_PRO": PRICE,
            "STRIPE_API_BASE": stripe.base,
            **{f"{name.upper()}_URL": url for name, url in providers.urls.items()},
        }
        for part in (
            _keys,
            _pix,
            _status,
            _probe,
            lambda one: _cnpj(one, providers),
            lambda one: _mcp(one, providers),
            _custom,
            _oauth,
        ):
            driver.forget_salt()
            part(driver)
        _billing(driver, stripe)
        _gateway_keys(driver)
        _without_store(driver)
        _without_sources(driver, providers)  # at the end, for it leaves their breakers open
    moto.stop()
    print(json.dumps(sorted(driver.asked)))


def _sign_up(driver: Driver) -> str:
    status, issued = driver.call("keys POST /api/v1/keys", {"email": "dev@exemplo.com.br"})
    assert status == 201
    key: str = issued["api_key"]
    return key


def _keys(driver: Driver) -> None:
    assert driver.call("keys GET /api/v1/usage", key=DEMO_KEY)[0] == 200
    key = _sign_up(driver)
    assert driver.call("keys GET /api/v1/usage", key=key)[0] == 200
    status, rotated = driver.call("keys POST /api/v1/keys/rotate", {"sobreposicao_segundos": 60}, key)
    assert status == 201
    assert driver.call("keys POST /api/v1/keys/revoke", key=rotated["api_key"])[0] == 204


def _used_up(driver: Driver, answers: Callable[[str], bool]) -> None:
    """The last call of a month, the first refused one, and one that is refused by what was remembered."""
    key = _sign_up(driver)
    account, _ = driver.app("keys").services.accounts.identify(key)
    driver.app("keys").services.accounts._store.set_plan(account.account, "free", 1)
    assert [answers(key) for _ in range(3)] == [True, False, False]
    assert [answers(DEMO_KEY) for _ in range(3)][1:] == [False, False]


def _repeated(call: Callable[..., int], key: str) -> None:
    """A call under an ``Idempotency-Key``, the same again, and one whose answer cannot be sent.

    The store's answer to the release of that one is lost.
    """
    assert [call(key, headers=_claiming(key, "a")) for _ in range(2)] == [200, 200]
    apply, lost = DynamoAccess.release, [StoreUnavailable("lost")]

    def release(store: DynamoAccess, *order: Any) -> bool:
        applied = apply(store, *order)
        if lost:
            raise lost.pop()
        return applied

    with (
        patch("brskills_server.web.skill_routes.rate_headers", side_effect=RuntimeError),
        patch.object(DynamoAccess, "release", release),
    ):
        assert call(key, headers=_claiming(key, "b")) == 500


def _claiming(key: str, name: str) -> dict[str, str]:
    return {"X-API-Key": key, "Idempotency-Key": name}


def _pix(driver: Driver) -> None:
    def create(key: str, **event: Any) -> int:
        return driver.call("pix POST /api/v1/skills/pix", CODE, key, **event)[0]

    _used_up(driver, lambda key: create(key) == 200)
    key = _sign_up(driver)
    _repeated(create, key)
    assert driver.call("pix POST /api/v1/skills/pix/decode", {"brcode": "000201"}, key)[0] == 200


@contextmanager
def _failing(providers: Simulator, fault: str = "500") -> Iterator[None]:
    """No provider answers."""
    for name in providers.urls:
        providers.play(name, fault)
    yield
    for name in providers.urls:
        providers.play(name, "truth")


def _cnpj(driver: Driver, providers: Simulator) -> None:
    route = "cnpj POST /api/v1/skills/cnpj"

    def find(key: str, **event: Any) -> int:
        return driver.call(route, {"cnpj": KNOWN}, key, **event)[0]

    _used_up(driver, lambda key: find(key) == 200)
    key = _sign_up(driver)
    _repeated(find, key)
    assert driver.call(route, {"cnpj": "SANDBOX1000170"}, key)[0] == 200
    assert driver.call(route, {"cnpj": "SANDBOX5000158"}, key)[0] == 503
    assert driver.call(route, {"cnpj": "SANDBOX1000170", "idade_dados_maxima": 0}, key)[0] == 503
    with _failing(providers):
        assert driver.call(route, {"cnpj": OTHER}, key)[0] == 503
    with _unsaved():
        assert [find(key, headers=_claiming(key, "unsaved")) for _ in range(2)] == [200, 200]
    _buy_pro(driver, key)
    time.sleep(1.1)  # the store is believed to be away until it is read again
    assert driver.call(route, {"cnpj": KNOWN, "idade_dados_maxima": 0}, key)[0] == 503


@contextmanager
def _unsaved() -> Iterator[None]:
    """Companies are neither found in the store nor saved there."""
    with patch.object(DynamoCompanies, "_send", side_effect=StoreFault):
        yield


def _buy_pro(driver: Driver, key: str) -> None:
    accounts = driver.app("keys").services.accounts
    accounts._store.set_plan(accounts.identify(key)[0].account, "pro", 10_000)


def _mcp(driver: Driver, providers: Simulator) -> None:
    def use(key: str, name: str = "create_pix_code", arguments: Any = CODE, **event: Any) -> bool:
        _, answer = driver.call("mcp POST /mcp", _tool(name, arguments), key, asks_authorizer=False, **event)
        return not answer["result"].get("isError")

    _used_up(driver, use)
    key = _sign_up(driver)
    assert use(key, "get_usage", {})
    assert use(key, "look_up_company", {"cnpj": KNOWN, "idade_maxima": 0})
    assert use(key, headers=_claiming(key, "a"))
    with _failing(providers):
        assert not use(key, "look_up_company", {"cnpj": OTHER}, headers=_claiming(key, "b"))
    with _unsaved():
        same = {"headers": _claiming(key, "unsaved")}
        assert all(use(key, "look_up_company", {"cnpj": KNOWN}, **same) for _ in range(2))
    _buy_pro(driver, key)
    time.sleep(1.1)
    assert not use(key, "look_up_company", {"cnpj": KNOWN, "idade_dados_maxima": 0})
    assert use(key, "decode_pix_code", {"brcode": "000201"})
    token = _allowed(driver, key)
    assert use(key, headers={"Authorization": f"Bearer {token}"})


def _allowed(driver: Driver, key: str) -> str:
    """An access token of a client that the key's owner allowed everything."""
    services = driver.app("mcp").services
    caller, _ = services.accounts.identify(key)
    client = Client("brsk_cl_x", "x", ("https://a.example/cb",), 0)
    terms = Terms(client, frozenset(SCOPES), "https://a.example/mcp", "https://a.example/cb", "x" * 43)
    grant = services.grants.find_code(services.grants.open(caller, terms))
    token: str = services.grants.redeem(grant).access_token
    return token


def _custom(driver: Driver) -> None:
    route = "custom POST /api/v1/skills/custom/{skill}"

    def look_up(key: str, **event: Any) -> int:
        path = {"skill": "look_up_bank"}
        answer = driver.call(
            route, {"codigo": "341"}, key, asks_authorizer=False, pathParameters=path, **event
        )
        return answer[0]

    keys = [_sign_up(driver) for _ in range(2)]
    accounts = driver.app("keys").services.accounts
    account = accounts.identify(keys[0])[0].account
    accounts.grant(account, "look_up_bank")
    assert [look_up(key) for key in (*keys, DEMO_KEY)] == [200, 404, 404]
    _repeated(look_up, keys[0])
    status, listed = driver.call("docs GET /api/v1/tools", key=keys[0], asks_authorizer=False)
    assert (status, "look_up_bank" in listed["routes"]) == (200, True)


def _oauth(driver: Driver) -> None:
    """A program that registers and is allowed, comes back for tokens, uses one twice, and is sent away."""
    said = {"client_name": "Assistente", "redirect_uris": [WEB]}
    for _ in range(2):
        status, client = driver.call("oauth POST /oauth/register", said)
        assert status == 201
    key, known = _sign_up(driver), {"client_id": client["client_id"]}
    for times in range(2):
        tokens = _tokens(driver, key, known)
        status, listed = driver.call("oauth GET /api/v1/grants", key=key)
        assert (status, len(listed["acessos"])) == (200, 1)
        used = {**known, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        assert [_post(driver, "token", used)[0] for _ in range(2 - times)] == [200, 400][: 2 - times]
        assert _post(driver, "revoke", {**known, "token": tokens["access_token"]})[0] == 200
    _tokens(driver, key, known)
    status, listed = driver.call("oauth GET /api/v1/grants", key=key)
    end = {"id": listed["acessos"][0]["id"]}
    assert driver.call("oauth POST /api/v1/grants/end", end, key)[0] == 204
    assert driver.call("oauth GET /.well-known/oauth-protected-resource")[0] == 200


def _tokens(driver: Driver, key: str, known: dict[str, str]) -> dict[str, str]:
    """Return the tokens of a program that a person allows after creating a key."""
    asked = {
        **known,
        "response_type": "code",
        "redirect_uri": WEB,
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
    }
    route = "oauth {} /oauth/authorize"
    page = driver.page(route.format("GET"), asked)
    headers = {"Cookie": page["headers"]["Set-Cookie"].split(";")[0], "Sec-Fetch-Site": "same-origin"}
    values = {**Fields(page["body"]).values, "answer": "new_key"}
    assert driver.page(route.format("POST"), asked, values, **headers)["statusCode"] == 200
    answer = driver.page(route.format("POST"), asked, {**values, "key": key, "answer": "allow"}, **headers)
    code = parameters_of(answer["headers"]["Location"])["code"]
    redeemed = {**known, "grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER}
    status, tokens = _post(driver, "token", redeemed)
    assert status == 200
    found: dict[str, str] = tokens
    return found


def _post(driver: Driver, name: str, form: dict[str, str]) -> tuple[int, Any]:
    answer = driver.page(f"oauth POST /oauth/{name}", {}, form)
    return answer["statusCode"], json.loads(answer["body"])


def _status(driver: Driver) -> None:
    assert driver.call("status GET /api/v1/status")[0] == 200
    assert driver.call("status GET /api/v1/health")[0] == 200
    assert driver.call("status GET /api/v1/plans")[0] == 200


def _probe(driver: Driver) -> None:
    """A round that reaches every provider, and a call during an outage of the store."""
    driver.run("probe", {})
    with patch("functions.authorizer.app.accounts.identify", side_effect=StoreUnavailable):
        try:
            driver.call("pix POST /api/v1/skills/pix", CODE, _sign_up(driver))
        except StoreUnavailable:
            return
    raise AssertionError


def _billing(driver: Driver, stripe: FakeStripe) -> None:
    key = _sign_up(driver)
    status, page = driver.call("billing POST /api/v1/billing/checkout", key=key)
    assert status == 200
    subscription, paid = stripe.pay(page["url"])
    created = signed(stripe.event("customer.subscription.created", subscription))
    assert [_deliver(driver, *created) for _ in range(2)] == ["recorded", "duplicate"]
    assert _deliver(driver, created[0], "t=1,v1=wrong") is None
    second = stripe.subscribe(subscription["metadata"]["account"], paid["customer"])
    changed = stripe.event("customer.subscription.updated", second)
    assert _deliver(driver, *signed(changed)) == "recorded_double"
    (charge,) = stripe.payments.charges(second["latest_invoice"])
    stripe.payments.refund(charge)
    changed = stripe.event("customer.subscription.updated", second)
    assert _deliver(driver, *signed(changed)) == "recorded_paid_back"
    of_nobody = stripe.event("customer.subscription.created", stripe.subscribe("acc_nobody"))
    assert _deliver(driver, *signed(of_nobody)) == "unknown_account"
    with patch("functions.billing.app.processor", None):
        assert _deliver(driver, *created) is None
    assert driver.call("billing POST /api/v1/billing/portal", key=key)[0] == 200


def _deliver(driver: Driver, body: bytes, signature: str) -> str | None:
    """What an event of Stripe's comes to; ``None`` if it is to come again."""
    headers = {"Stripe-Signature": signature, "Content-Type": "application/json"}
    status, content = driver.call("billing POST /api/v1/billing/webhook", body.decode(), headers=headers)
    return str(content["resultado"]) if status == 200 else None


def _without_sources(driver: Driver, providers: Simulator) -> None:
    """An absence; then an old record, and questions to sources until their breakers are open."""
    route, key = "cnpj POST /api/v1/skills/cnpj", _sign_up(driver)
    assert driver.call(route, {"cnpj": ABSENT}, key)[0] == 404
    answers = driver.app("cnpj").companies.registry._local.cache
    with _failing(providers, "429"), patch.object(answers, "_fresh_seconds", -1):
        status, old = driver.call(route, {"cnpj": KNOWN}, key)
        assert (status, old["desatualizado"]) == (200, True)
        for number in range(FAILURES_TO_OPEN):
            assert driver.call(route, {"cnpj": OTHER, "idade_maxima": number}, key)[0] == 503


def _without_store(driver: Driver) -> None:
    """Calls, companies and rounds while a table is away."""
    key = _sign_up(driver)
    with driver.without("Access"):
        message = _tool("create_pix_code", CODE)
        _, answer = driver.call("mcp POST /mcp", message, key, asks_authorizer=False)
        assert answer["result"]["isError"]
        driver.app("gateway_keys").gateway_keys._began = 0
        driver.run("gateway_keys", {})
    with driver.without("Companies"):
        assert driver.call("cnpj POST /api/v1/skills/cnpj", {"cnpj": KNOWN}, key)[0] == 200
    with patch("functions.probe.app.registry.probe", side_effect=TimeoutError):
        driver.run("probe", {})


def _tool(name: str, arguments: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    return {**message, "params": {"name": name, "arguments": arguments}}


def _gateway_keys(driver: Driver) -> None:
    """The account that has just paid gets a key, and loses it with its plan."""
    services = driver.app("keys").services
    now = time.time()
    driver.app("gateway_keys").gateway_keys._clock = lambda: now
    for seconds, plan in ((0, "pro"), (1000, "pro"), (300, "free"), (300, "free")):
        now += seconds
        paying = [one for one in services.store.list_accounts() if one.plan == "pro"]
        if plan == "free":
            for account in paying:
                services.accounts.set_plan(account.id, "free")
        driver.run("gateway_keys", {})
    assert [one for one in services.store.list_accounts() if one.dedicated_gateway_key] == []
    gateway = boto3.client("apigateway")
    assert gateway.get_api_keys(nameQuery="stack-")["items"] == []


if __name__ == "__main__":
    main()
