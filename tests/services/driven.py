"""Run every function of the template through all its calls, and record requests to AWS and output.

``python -m tests.services.driven`` does so in a separate process, so that no services are shared.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

import boto3
from botocore.httpsession import URLLib3Session
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.companies import DynamoCompanies
from brskills_server.charges.sandbox_locations import VALID_LOCATION
from brskills_server.registry.health.breakers import FAILURES_TO_OPEN
from brskills_server.registry.snapshot.changes import NEW
from brskills_server.registry.snapshot.history import Step
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.registry.store import StoreFault
from brskills_server.watches.announcing import Announcer
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import FakeStripe, signed
from tests.services.driver import Asked, Driver
from tests.services.gateway import ROOT
from tests.services.in_process import VERIFIER, issue_tokens
from tests.services.packages import EXAMPLE, install, python_path
from tests.services.sign_in import WEB, Fields, consent_query, parameters_of
from tests.services.tables import new_client, new_table
from tests.simulator import Simulator
from tests.simulator.paid import TOKENS

PIX, CNPJ = "pix POST /api/v1/skills/pix", "cnpj POST /api/v1/skills/cnpj"
PAYEE = "payee POST /api/v1/skills/pix/conferir"
WATCHES, WEBHOOKS = "account {} /api/v1/watches{}", "account {} /api/v1/webhooks{}"
USAGE, AUTHORIZE = "account GET /api/v1/usage", "oauth {} /oauth/authorize"
CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife", "valor": "10.00"}
KNOWN, OTHER, THIRD, ABSENT = "33000167000101", "19131243000197", "06990590000123", "99000000000230"
STORE_SECONDS = "60"
"""The store is an emulator that shares this machine's processors."""


class Driven(NamedTuple):
    """The requests of the functions, and what each printed: one object a line."""

    asked: set[Asked]
    printed: list[dict[str, Any]]


def drive(endpoint: str) -> str:
    """Drive all functions as on AWS, plans named as in the template; return what ``read_driven`` reads."""
    with tempfile.TemporaryDirectory() as folder:
        install(EXAMPLE, Path(folder))
        environment = {
            **os.environ,
            **python_path(Path(folder)),
            "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
            "AWS_LAMBDA_FUNCTION_NAME": "driven",
            "POWERTOOLS_METRICS_NAMESPACE": "brskills",
            "POWERTOOLS_SERVICE_NAME": "stack",
        }
        command = [sys.executable, "-m", "tests.services.driven"]
        return subprocess.run(
            command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout


def read_driven(text: str) -> Driven:
    """Return the requests and the output of a run of ``drive``."""
    *printed, asked = map(json.loads, text.splitlines())
    return Driven({Asked(*one) for one in asked}, printed)


def main() -> None:
    """Drive all functions in this process, and print their requests after what they log."""
    client = new_client(os.environ["AWS_ENDPOINT_URL_DYNAMODB"])
    moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    moto.start()
    emulator = "http://{}:{}".format(*moto.get_host_and_port())
    os.environ |= {"AWS_ENDPOINT_URL_API_GATEWAY": emulator, "AWS_ENDPOINT_URL_SQS": emulator}
    gateway = boto3.client("apigateway")
    os.environ["WEBHOOK_QUEUE"] = boto3.client("sqs").create_queue(QueueName="webhooks")["QueueUrl"]
    tables = {name: new_table(client, name) for name in ("Access", "Watches", "Companies")}
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
            "WATCHES_TABLE": tables["Watches"],
            "COMPANIES_TABLE": tables["Companies"],
            "STORE_TIMEOUT_SECONDS": STORE_SECONDS,
            "DEMO_API_KEY": DEMO_KEY,
            "DEMO_MONTHLY_LIMIT": "1",
            "SIGNUPS_PER_DAY": "1000",
            "SIGNUPS_PER_MONTH": "1000",
            "GATEWAY_KEY_PREFIX": "stack",
            "PRO_USAGE_PLAN": plans["Pro"],
            "ENTERPRISE_USAGE_PLAN": plans["Enterprise"],
            "REGISTRY_PROVIDERS": "opencnpj,cnpja",
            "CNPJA_TOKEN": TOKENS["cnpja"],
            **stripe.settings,
            **providers.settings,
        }
        for part in (_keys, _pix, _status, _probe, _cnpj, _payee, _mcp, _custom, _oauth, _watches, _webhooks):
            driver.forget_salt()
            part(driver, providers)
        _billing(driver, stripe)
        _gateway_keys(driver)
        _without_store(driver)
        _without_sources(driver, providers)  # at the end, for it leaves their breakers open
    moto.stop()
    print(json.dumps(sorted(driver.asked)))


def _sign_up(driver: Driver) -> str:
    status, issued = driver.call("account POST /api/v1/keys", {"email": "dev@exemplo.com.br"})
    assert status == 201
    key: str = issued["api_key"]
    return key


def _expect(driver: Driver, status: int, route: str, content: Any = None, key: str | None = None) -> Any:
    """Return the content of a route's answer, which has this status."""
    found, answer = driver.call(route, content, key)
    assert found == status, (route, found)
    return answer


def _keys(driver: Driver, _: object) -> None:
    _expect(driver, 200, USAGE, key=DEMO_KEY)
    key = _sign_up(driver)
    _expect(driver, 200, USAGE, key=key)
    rotated = _expect(driver, 201, "account POST /api/v1/keys/rotate", {"sobreposicao_segundos": 60}, key)
    _expect(driver, 204, "account POST /api/v1/keys/revoke", key=rotated["api_key"])


def _used_up(driver: Driver, answers: Callable[[str], bool]) -> None:
    """The last call of a month, the first refused one, and one that is refused by what was remembered."""
    key = _sign_up(driver)
    _set_plan(driver, key, "free", 1)
    assert [answers(key) for _ in range(3)] == [True, False, False]
    assert [answers(DEMO_KEY) for _ in range(3)][1:] == [False, False]


def _set_plan(driver: Driver, key: str, plan: str, limit: int) -> None:
    accounts = driver.app("account").services.accounts
    accounts._store.set_plan(accounts.identify(key)[0].account, plan, limit)


def _repeated(call: Callable[..., int], key: str) -> None:
    """A call under an ``Idempotency-Key``, the same again, and one whose answer cannot be sent.

    The store's answer to the release of the last is lost.
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


def _pix(driver: Driver, _: object) -> None:
    def create(key: str, **event: Any) -> int:
        return driver.call(PIX, CODE, key, **event)[0]

    _used_up(driver, lambda key: create(key) == 200)
    key = _sign_up(driver)
    _repeated(create, key)
    _expect(driver, 200, f"{PIX}/decode", {"brcode": "000201"}, key)


def _cnpj(driver: Driver, providers: Simulator) -> None:
    def find(key: str, **event: Any) -> int:
        return driver.call(CNPJ, {"cnpj": KNOWN}, key, **event)[0]

    _used_up(driver, lambda key: find(key) == 200)
    key = _sign_up(driver)
    _repeated(find, key)
    for status, content in (
        (200, {"cnpj": "SANDBOX1000170"}),
        (503, {"cnpj": "SANDBOX5000158"}),
        (503, {"cnpj": "SANDBOX1000170", "idade_dados_maxima": 0}),
    ):
        _expect(driver, status, CNPJ, content, key)
    for status, number in ((200, "SANDBOX1000170"), (404, "SANDBOX4000103"), (503, KNOWN)):
        _expect(driver, status, f"{CNPJ}/historico", {"cnpj": number}, key)
    for status, content in ((200, {"nome": "SANDBOX"}), (503, {"nome": "padaria"}), (422, {"uf": "SP"})):
        _expect(driver, status, f"{CNPJ}/busca", content, key)
    _expect(driver, 200, f"{CNPJ}/lote", {"cnpjs": [KNOWN]}, key)
    with providers.playing("500"):
        _expect(driver, 503, CNPJ, {"cnpj": OTHER}, key)
    with _unsaved():
        assert [find(key, headers=_claiming(key, "unsaved")) for _ in range(2)] == [200, 200]
    _set_plan(driver, key, "pro", 10_000)
    time.sleep(1.1)  # the store is believed to be away until it is read again
    _expect(driver, 503, CNPJ, {"cnpj": KNOWN, "idade_dados_maxima": 0}, key)


def _payee(driver: Driver, providers: Simulator) -> None:
    def check(key: str, **event: Any) -> int:
        return driver.call(PAYEE, {"chave": KNOWN}, key, **event)[0]

    _used_up(driver, lambda key: check(key) == 200)
    key = _sign_up(driver)
    _repeated(check, key)
    _expect(driver, 200, PAYEE, {"chave": THIRD}, key)
    _expect(driver, 200, PAYEE, {"url": VALID_LOCATION, "seguir": True}, key)
    with providers.playing("500"):
        _expect(driver, 503, PAYEE, {"chave": OTHER}, key)
    with _unsaved():
        assert [check(key, headers=_claiming(key, "unsaved")) for _ in range(2)] == [200, 200]


def _unsaved() -> AbstractContextManager[object]:
    """Companies are neither found in the store nor saved there."""
    return patch.object(DynamoCompanies, "_send", side_effect=StoreFault)


def _mcp(driver: Driver, providers: Simulator) -> None:
    def use(key: str, name: str = "create_pix_code", arguments: Any = CODE, **event: Any) -> bool:
        return _use_tool(driver, key, name, arguments, **event)

    _used_up(driver, use)
    key = _sign_up(driver)
    assert use(key, "get_usage", {})
    assert use(key, "look_up_company", {"cnpj": KNOWN, "idade_maxima": 0})
    assert use(key, "look_up_companies", {"cnpjs": [KNOWN, KNOWN]})  # one call
    assert use(key, headers=_claiming(key, "a"))
    with providers.playing("500"):
        assert not use(key, "look_up_company", {"cnpj": OTHER}, headers=_claiming(key, "b"))
    with _unsaved():
        same = {"headers": _claiming(key, "unsaved")}
        assert all(use(key, "look_up_company", {"cnpj": KNOWN}, **same) for _ in range(2))
    _set_plan(driver, key, "pro", 10_000)
    time.sleep(1.1)
    assert not use(key, "look_up_company", {"cnpj": KNOWN, "idade_dados_maxima": 0})
    assert use(key, "decode_pix_code", {"brcode": "000201"})
    registered = _expect(driver, 201, "oauth POST /oauth/register", {"redirect_uris": [WEB]})
    resource = "https://api.example/mcp"
    token = issue_tokens(driver.app("mcp").services, registered["client_id"], key, resource)["token"]
    assert use(key, headers={"Authorization": f"Bearer {token}"})


def _use_tool(driver: Driver, key: str, name: str, arguments: Any, **event: Any) -> bool:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    content = {**message, "params": {"name": name, "arguments": arguments}}
    _, answer = driver.call("mcp POST /mcp", content, key, authorized=False, **event)
    return not answer["result"].get("isError")


def _custom(driver: Driver, _: object) -> None:
    def look_up(key: str, **event: Any) -> int:
        route, path = "custom POST /api/v1/skills/custom/{skill}", {"skill": "look_up_bank"}
        given = {"pathParameters": path, **event}
        return driver.call(route, {"codigo": "341"}, key, authorized=False, **given)[0]

    keys = [_sign_up(driver) for _ in range(2)]
    accounts = driver.app("account").services.accounts
    accounts.grant(accounts.identify(keys[0])[0].account, "look_up_bank")
    assert [look_up(key) for key in (*keys, DEMO_KEY)] == [200, 404, 404]
    _repeated(look_up, keys[0])
    status, listed = driver.call("site GET /api/v1/tools", key=keys[0], authorized=False)
    assert (status, "look_up_bank" in listed["routes"]) == (200, True)


def _watches(driver: Driver, _: object) -> None:
    """A company that is watched, changes, and is watched no more; a tool of each kind."""
    key, number = _sign_up(driver), {"cnpj": "SANDBOX1000170"}
    one = {"pathParameters": number}
    _expect(driver, 403, WATCHES.format("POST", ""), number, DEMO_KEY)
    for status in (201, 200):
        _expect(driver, status, WATCHES.format("POST", ""), number, key)
    assert len(_expect(driver, 200, WATCHES.format("GET", ""), key=key)["watches"]) == 1
    _expect(driver, 201, WEBHOOKS.format("POST", ""), {"url": "https://hooks.invalid/"}, key)
    _announce(driver)
    assert driver.call(WATCHES.format("GET", "/{cnpj+}"), None, key, **one)[0] == 200
    _expect(driver, 202, WATCHES.format("POST", "/simulate"), key=key)
    assert len(_expect(driver, 200, "account GET /api/v1/changes", key=key)["mudancas"]) == 2
    assert driver.call(WATCHES.format("DELETE", "/{cnpj+}"), None, key, **one)[0] == 204
    assert _use_tool(driver, key, "watch_companies", {"cnpjs": [number["cnpj"]]})
    assert _use_tool(driver, key, "list_watches", {})
    assert _use_tool(driver, key, "list_changes", {})
    assert _use_tool(driver, key, "unwatch_company", number)


def _webhooks(driver: Driver, _: object) -> None:
    """The routes; a sweep; an attempt that fails, an inactive webhook, and a month that is used up."""
    key, content = _sign_up(driver), {"url": "https://hooks.invalid/"}
    _expect(driver, 403, WEBHOOKS.format("POST", ""), content, DEMO_KEY)
    webhook = _expect(driver, 201, WEBHOOKS.format("POST", ""), content, key)
    assert len(_expect(driver, 200, WEBHOOKS.format("GET", ""), key=key)["webhooks"]) == 1
    one = {"pathParameters": {"id": webhook["id"]}}

    def ask(status: int, method: str, path: str = "", sent: Any = None) -> Any:
        found, answer = driver.call(WEBHOOKS.format(method, f"/{{id}}{path}"), sent, key, **one)
        assert found == status, answer
        return answer

    ask(200, "GET")
    ask(200, "PATCH", sent={"descricao": "ERP"})
    ask(201, "POST", "/rotate")
    ask(202, "POST", "/test")
    queue = boto3.client("sqs")
    driver.run("deliver", {})
    sent = queue.receive_message(QueueUrl=os.environ["WEBHOOK_QUEUE"], MaxNumberOfMessages=10)["Messages"]
    records = [{"messageId": one["MessageId"], "body": one["Body"]} for one in sent]
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)
    assert driver.run("deliver", {"Records": records}, context) == {"batchItemFailures": []}
    assert len(ask(200, "GET", "/deliveries")["deliveries"]) == 1
    ask(202, "POST", "/test")
    ask(200, "PATCH", sent={"ativo": False})
    assert driver.run("deliver", {"Records": records}, context) == {"batchItemFailures": []}
    ask(204, "DELETE")
    _expect(driver, 201, WEBHOOKS.format("POST", ""), content, key)
    _set_plan(driver, key, "free", 1)
    _expect(driver, 200, PIX, CODE, key)
    driver.run("deliver", {})  # the month's calls are used up
    account = driver.app("account").services.accounts.identify(key)[0].account
    with driver.working_as("account") as store:
        (other,) = store.list_webhooks(account)
        assert len(store.due_deliveries(other, int(time.time()), 9)) == 2
        assert store.delete_webhook(account, other.id)


def _announce(driver: Driver) -> None:
    """A round over a first month of the register, and one over a second, which has what is watched."""
    step = Step("second", "first", date(2026, 10, 10), date(2026, 11, 14))
    editions = [Edition(step.since_day, id="first"), Edition(step.day, id="second")]
    history: Any = SimpleNamespace(
        steps=lambda snapshot: [step] if snapshot == step.id else [],
        rows_of=lambda _, keys: dict.fromkeys(keys, NEW),
    )
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 900_000)
    store = driver.app("account").services.store
    driver.run("announce", {})
    for edition in editions:
        snapshot: Any = SimpleNamespace(edition=lambda: edition)  # noqa: B023, used in this round alone
        with patch("functions.announce.app.announcer", Announcer(store, snapshot, history)):
            driver.run("announce", {}, context)


def _oauth(driver: Driver, _: object) -> None:
    """A program that registers, gets consent and tokens, uses one twice, and loses its access."""
    metadata = {"client_name": "Assistente", "redirect_uris": [WEB]}
    for _ in range(2):
        client = _expect(driver, 201, "oauth POST /oauth/register", metadata)
    key, known = _sign_up(driver), {"client_id": client["client_id"]}
    for times in range(2):
        tokens = _tokens(driver, key, known)
        assert len(_grants(driver, key)) == 1
        used = {**known, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        assert [_post(driver, "token", used)[0] for _ in range(2 - times)] == [200, 400][: 2 - times]
        assert _post(driver, "revoke", {**known, "token": tokens["access_token"]})[0] == 200
    _tokens(driver, key, known)
    _expect(driver, 204, "oauth POST /api/v1/grants/end", {"id": _grants(driver, key)[0]["id"]}, key)
    _expect(driver, 200, "oauth GET /.well-known/oauth-protected-resource")


def _grants(driver: Driver, key: str) -> list[Any]:
    found: list[Any] = _expect(driver, 200, "oauth GET /api/v1/grants", key=key)["acessos"]
    return found


def _tokens(driver: Driver, key: str, known: dict[str, str]) -> dict[str, str]:
    """Return the tokens of a program that a person allows after creating a key."""
    query = consent_query(VERIFIER, **known)
    page = _page(driver, AUTHORIZE.format("GET"), query)
    headers = {"Cookie": page["headers"]["Set-Cookie"].split(";")[0], "Sec-Fetch-Site": "same-origin"}
    values = {**Fields(page["body"]).values, "answer": "new_key"}
    post = AUTHORIZE.format("POST")
    assert _page(driver, post, query, values, **headers)["statusCode"] == 200
    answer = _page(driver, post, query, {**values, "key": key, "answer": "allow"}, **headers)
    code = parameters_of(answer["headers"]["Location"])["code"]
    redeemed = {**known, "grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER}
    status, tokens = _post(driver, "token", redeemed)
    assert status == 200
    found: dict[str, str] = tokens
    return found


def _post(driver: Driver, name: str, form: dict[str, str]) -> tuple[int, Any]:
    answer = _page(driver, f"oauth POST /oauth/{name}", {}, form)
    return answer["statusCode"], json.loads(answer["body"])


def _page(
    driver: Driver, route: str, query: dict[str, str], form: dict[str, str] | None = None, **headers: str
) -> Any:
    """Return the answer of a route without a key to a form."""
    own = {"X-Forwarded-Proto": "https", "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode(form or {})
    return driver.send(route, headers={**own, **headers}, queryStringParameters=query, body=body)


def _status(driver: Driver, _: object) -> None:
    for name in ("status", "health", "plans"):
        _expect(driver, 200, f"site GET /api/v1/{name}")


def _probe(driver: Driver, _: object) -> None:
    """A round that reaches every provider, and a call during an outage of the store."""
    driver.run("probe", {})
    with patch("functions.authorizer.app.accounts.identify", side_effect=StoreUnavailable):
        try:
            driver.call(PIX, CODE, _sign_up(driver))
        except StoreUnavailable:
            return
    raise AssertionError


def _billing(driver: Driver, stripe: FakeStripe) -> None:
    key = _sign_up(driver)
    page = _expect(driver, 200, "billing POST /api/v1/billing/checkout", key=key)
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
    _expect(driver, 200, "billing POST /api/v1/billing/portal", key=key)


def _deliver(driver: Driver, body: bytes, signature: str) -> str | None:
    """Return the result of an event of Stripe's; ``None`` if Stripe should repeat it."""
    headers = {"Stripe-Signature": signature, "Content-Type": "application/json"}
    status, content = driver.call("billing POST /api/v1/billing/webhook", body.decode(), headers=headers)
    return str(content["resultado"]) if status == 200 else None


def _without_sources(driver: Driver, providers: Simulator) -> None:
    """An absence; then an old record, and calls of sources until their breakers are open."""
    key = _sign_up(driver)
    _expect(driver, 404, CNPJ, {"cnpj": ABSENT}, key)
    answers = driver.app("cnpj").companies.registry._local.cache
    with providers.playing("429"), patch.object(answers, "_fresh_seconds", -1):
        assert _expect(driver, 200, CNPJ, {"cnpj": KNOWN}, key)["desatualizado"] is True
        for number in range(FAILURES_TO_OPEN):
            _expect(driver, 503, CNPJ, {"cnpj": OTHER, "idade_maxima": number}, key)


def _without_store(driver: Driver) -> None:
    """Calls, companies and rounds while a table is away."""
    key = _sign_up(driver)
    with driver.without("Access"):
        assert not _use_tool(driver, key, "create_pix_code", CODE)
        driver.app("gateway_keys").gateway_keys._began = 0
        driver.run("gateway_keys", {})
    with driver.without("Companies"):
        _expect(driver, 200, CNPJ, {"cnpj": KNOWN}, key)
    with patch("functions.probe.app.registry.probe", side_effect=TimeoutError):
        driver.run("probe", {})


def _gateway_keys(driver: Driver) -> None:
    """The account that has just paid gets a gateway key, and loses it with its plan."""
    services = driver.app("account").services
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
