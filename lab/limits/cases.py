"""The most expensive requests that are known, valid and invalid, by routes that cost the same."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from brskills_server.charges.sandbox_locations import VALID_LOCATION
from brskills_server.skills.cnpj.search_request import SHAPES
from brskills_server.webhooks.webhook import COMPANY_CHANGED, MOST_WEBHOOKS, Attempt
from lab.limits.companies import number
from lab.limits.service import FORM, Request, Service
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import signed
from tests.services.in_process import VERIFIER
from tests.services.sign_in import WEB, Fields

Headers = dict[str, str]
Make = Callable[[int], Request]
"""The request of a run, by the run's number, which makes it unlike those before."""

PIX, CNPJ = "/api/v1/skills/pix", "/api/v1/skills/cnpj"
UNKNOWN_FIELDS = {f"{n:x}": 0 for n in range(1_900)}
"""Unknown fields, in a body of just under 16 KiB."""
LOCATION = "pix.exemplo.com.br/" + "a" * 58
LONGEST = {
    "url": LOCATION, "url_recorrencia": LOCATION, "nome_recebedor": "Ç" * 25, "cidade": "Ç" * 15,
    "cep": "01310100", "mcc": "5812", "uso_unico": True,
    "qr": "png", "qr_tamanho": 16, "qr_margem": 10,
}  # fmt: skip
DEEP = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b'{"a":' * 3_000
DOCUMENTS = (
    "/api/v1/tools", "/llms.txt", "/SKILL.md", "/.well-known/ai-catalog.json", "/mcp/server-card",
    "/server.json",
)  # fmt: skip


class Case(NamedTuple):
    """``sources``: how they reply meanwhile (``Service.play``). ``slow``: run once, also for times."""

    route: str
    name: str
    make: Make
    sources: str = "deny"
    slow: bool = False


def cases_of(service: Service) -> Iterator[Case]:
    """Yield every case, the cheaper routes first."""
    key = {"X-API-Key": service.key}
    yield from _pix(key)
    yield from _companies(key)
    yield from _search(key)
    yield from _watches({"X-API-Key": service.open_account("enterprise")})
    yield from _webhooks(service)
    yield from _account(service, key)
    yield from _open_routes()
    yield from _agents(service, key)
    yield from _sign_in(service)
    yield from _billing(service)


def _get(path: str, headers: Headers | None = None) -> Make:
    return lambda _: Request("GET", path, headers or {})


def _post(path: str, body: Any, headers: Headers | None = None) -> Make:
    return lambda _: Request("POST", path, headers or {}, body)


def _once(headers: Headers, name: object) -> Headers:
    return headers | {"Idempotency-Key": str(name)}


def _pix(key: Headers) -> Iterator[Case]:
    batch, decode = f"{PIX}/lote", f"{PIX}/decode"
    foreign = {**LONGEST, "nome_recebedor": "漢" * 2_500, "cidade": "ß" * 3_500}

    def counted(n: int) -> Request:
        return Request("POST", PIX, _once(key, f"n{n}"), {**LONGEST, "valor": n + 1})

    def many(n: int) -> Request:
        return Request("POST", batch, _once(key, f"b{n}"), {"itens": [{**LONGEST, "valor": n + 1}] * 100})

    for name, make in {
        "as PNG": _post(PIX, LONGEST, key | {"Accept": "image/png"}),
        "as SVG, under a key": _post(PIX, LONGEST, _once(key | {"Accept": "image/svg+xml"}, "a")),
        "counted, under a new key": counted,
        "with the demo key": _post(PIX, LONGEST, {"X-API-Key": DEMO_KEY}),
        "foreign letters": _post(PIX, foreign, key),
        "unknown fields": _post(PIX, UNKNOWN_FIELDS, key),
    }.items():
        yield Case("Pix code", name, make)
    yield Case("Pix batch", "100 codes", many)
    yield Case("Pix batch", "100 codes again", _post(batch, {"itens": [LONGEST] * 100}, _once(key, "c")))
    for name, item in {
        "foreign letters": {**LONGEST, "nome_recebedor": "漢" * 700},
        "unknown fields": {f"{n:x}": 0 for n in range(300)},
    }.items():
        yield Case("Pix batch", name, _post(batch, {"itens": [item] * 100}, key))
    for name, text in {
        "objects": "000201" + "".join(f"{n:02d}01a" for n in range(1, 99)),
        "templates": "000201" + "".join(f"{n}20" + "0116" + "01" * 8 for n in range(26, 46)),
        "text": "0" * 512,
    }.items():
        yield Case("Pix decode", name, _post(decode, {"brcode": text[:512]}, key))
    yield Case("Pix decode", "unknown fields", _post(decode, UNKNOWN_FIELDS, key))


def _companies(key: Headers) -> Iterator[Case]:
    batch, payee = f"{CNPJ}/lote", f"{PIX}/conferir"

    def asked(n: int) -> Request:
        return Request("POST", CNPJ, _once(key, f"a{n}"), {"cnpj": number(n), "idade_maxima": 0})

    def recent(n: int) -> Request:
        return Request("POST", CNPJ, key, {"cnpj": number(n), "idade_dados_maxima": 1, "idade_maxima": 0})

    def many(n: int) -> Request:
        numbers = [number(1_000_000 + n * 100 + place) for place in range(100)]
        return Request("POST", batch, _once(key, f"m{n}"), {"cnpjs": numbers, "idade_maxima": 0})

    def checked(n: int) -> Request:
        return Request("POST", payee, key, {"chave": number(n), "nome_recebedor": "Ç" * 200})

    stored = _post(CNPJ, {"cnpj": number(0)}, key)
    parameters = "&".join(f"{n:x}" for n in range(1_600))
    yield Case("company", "the largest record", asked, "largest", True)
    yield Case("company", "the largest record, stored", stored, "largest", True)
    yield Case("company", "absent", asked)
    yield Case("company", "refused records", asked, "refused")
    yield Case("company", "recent data, absent", recent)
    yield Case("company", "recent data, refused", recent, "refused")
    yield Case("company", "by GET, 1,600 parameters", _get(f"{CNPJ}/x?{parameters}", key))
    yield Case("company", "unknown fields", _post(CNPJ, UNKNOWN_FIELDS, key))
    yield Case("company", "history", _get(f"{CNPJ}/historico/SANDBOX1000170", key))
    yield Case("company", "history without a copy", _post(f"{CNPJ}/historico", {"cnpj": number(0)}, key))
    yield Case("payee check", "the largest record", checked, "largest", True)
    yield Case("payee check", "absent", checked)
    yield Case("payee check", "a signed charge", _post(payee, {"url": VALID_LOCATION, "seguir": True}, key))
    yield Case("payee check", "unknown fields", _post(payee, UNKNOWN_FIELDS, key))
    yield Case("company batch", "100 records of 100 KB", many, "large", True)
    yield Case("company batch", "100 refused records", many, "refused", True)
    yield Case("company batch", "100 absent", many, slow=True)
    yield Case("company batch", "unknown fields", _post(batch, {f"{n:x}": 0 for n in range(27_000)}, key))


def _search(key: Headers) -> Iterator[Case]:
    path = f"{CNPJ}/busca"
    words = ["A" * 200] * 20

    def page(n: int) -> Request:
        content = {"cep": "01001", "limite": 100, "aberta_de": f"1900-01-{n % 28 + 1:02d}"}
        return Request("POST", path, _once(key, f"s{n}"), content)

    for name, make in {
        "100 rows": page,
        "nothing": _post(path, {"nome": words, "cep": ["20031"] * 20}, key),
        "sandbox companies": _get(f"{path}?nome=SANDBOX", key),
        "by GET, 1,600 parameters": _get(f"{path}?" + "&".join(f"{n:x}" for n in range(1_600)), key),
        "by GET, 1,600 values": _get(f"{path}?nome=" + "a,%" * 1_600, key),
        "refused values": _post(path, {**dict.fromkeys(SHAPES, "ß" * 400)}, key),
        "unknown fields": _post(path, UNKNOWN_FIELDS, key),
    }.items():
        yield Case("company search", name, make)


def _watches(key: Headers) -> Iterator[Case]:
    path = "/api/v1/watches"
    wrong = {"cnpj": "1", "referencia": "x" * 101, "y": 1}

    def many(n: int) -> Request:
        items = [{"cnpj": number(n * 1_000 + place), "referencia": "a" * 100} for place in range(1_000)]
        return Request("POST", path, key, {"cnpjs": items})

    for name, make in {
        "1,000 companies": many,
        "1,000 wrong ones": _post(path, {"cnpjs": [wrong] * 1_000}, key),
        "1,000 of unknown fields": _post(path, {"cnpjs": [{f"{n:x}": 0 for n in range(37)}] * 1_000}, key),
        "unknown fields": _post(path, {f"{n:x}": 0 for n in range(27_000)}, key),
        "a page": _get(f"{path}?limite=100", key),
        "a change": _post(f"{path}/simulate", {}, key),
        "a page of changes": _get("/api/v1/changes?limite=100", key),
        "an end": lambda n: Request("DELETE", f"{path}/{number(n)}", key),
    }.items():
        yield Case("watches", name, make)


def _webhooks(service: Service) -> Iterator[Case]:
    path, url = "/api/v1/webhooks", f"https://erp.example.com/{'x' * 2_000}"

    def add(key: Headers) -> Request:
        return Request("POST", path, key, {"url": url, "descricao": "é" * 200})

    def new_key() -> Headers:
        return {"X-API-Key": service.open_account("enterprise")}

    key, store = new_key(), service.services.store
    created = [json.loads(service.call(add(key)).body)["id"] for _ in range(MOST_WEBHOOKS)]
    one, now = f"{path}/{created[0]}", int(time.time())
    (webhook, *_) = store.list_webhooks(service.services.accounts.identify(key["X-API-Key"])[0].account)
    for place in range(100):
        attempt = Attempt(
            f"msg_{place:032}", COMPANY_CHANGED, 10, now * 1000, None, "forbidden_address", 15_000
        )
        store.record_attempt(webhook, attempt, None, now + 3600)
    for name, make in {
        "a new one": lambda _: add(new_key()),
        "unknown fields": _post(path, UNKNOWN_FIELDS, key),
        "a list": _get(path, key),
        "a change": lambda n: Request("PATCH", one, key, {"descricao": f"{n} {'é' * 190}"}),
        "unknown fields of a change": lambda _: Request("PATCH", one, key, {**UNKNOWN_FIELDS, "id": 1}),
        "a test": _post(f"{one}/test", {}, key),
        "a new secret": _post(f"{one}/rotate", {}, key),
        "attempts": _get(f"{one}/deliveries", key),
        "an end": lambda _: Request("DELETE", one, key),
    }.items():
        yield Case("webhooks", name, make)


def _account(service: Service, key: Headers) -> Iterator[Case]:
    def of_new_account(path: str, body: Any = b"") -> Make:
        return lambda _: Request("POST", path, {"X-API-Key": service.open_account("free")}, body)

    def sign_up(n: int) -> Request:
        return Request("POST", "/api/v1/keys", {}, {"email": f"{'a' * 60}@b{n}.example"})

    rotate = "/api/v1/keys/rotate"
    for route, name, make in (
        (
            "custom skill that is not there",
            "with a key",
            _post("/api/v1/skills/custom/odd_echo", UNKNOWN_FIELDS, key),
        ),
        ("usage", "with history", _get("/api/v1/usage", key)),
        ("rotate, revoke", "rotate", of_new_account(rotate, {"sobreposicao_segundos": 86_400})),
        ("rotate, revoke", "revoke", of_new_account("/api/v1/keys/revoke")),
        ("rotate, revoke", "unknown fields", _post(rotate, UNKNOWN_FIELDS, key)),
        ("sign-up", "with an e-mail", sign_up),
        ("sign-up", "unknown fields", _post("/api/v1/keys", UNKNOWN_FIELDS)),
        ("grants", "list", _get("/api/v1/grants", key)),
        ("grants", "end", _post("/api/v1/grants/end", {"id": "x" * 22}, key)),
        ("checkout, portal", "checkout", of_new_account("/api/v1/billing/checkout")),
        ("checkout, portal", "portal", _post("/api/v1/billing/portal", {}, key)),
    ):
        yield Case(route, name, make)


def _open_routes() -> Iterator[Case]:
    for route, paths in {
        "status, health, plans": ("/api/v1/status", "/api/v1/health", "/api/v1/plans"),
        "documents": DOCUMENTS,
        "pages": ("/", "/en", "/reference", "/robots.txt", "/sitemap.xml", "/favicon.ico"),
        "static files": ("/static/x/viewer/swagger-ui-bundle.js",),
        "OAuth metadata": ("/.well-known/oauth-authorization-server",),
    }.items():
        for path in paths:
            yield Case(route, path, _get(path))
    yield Case("OpenAPI", "with a key", _get("/api/v1/openapi.json", {"X-API-Key": "x"}))
    large = b"x" * 524_288
    for name, make in {
        "preflight": lambda _: Request("OPTIONS", PIX),
        "an unknown route with 512 KiB": _post("/" + "a/" * 4_000, large),
        "no key": _post(PIX, large),
    }.items():
        yield Case("preflight, unknown route", name, make)


def _agents(service: Service, key: Headers) -> Iterator[Case]:
    def message(method: str, params: Any, headers: Headers | None = None, name: Any = 1) -> Request:
        body = {"jsonrpc": "2.0", "id": name, "method": method, "params": params}
        return Request("POST", "/mcp", headers or {}, body)

    def tool(name: str, arguments: Any, headers: Headers) -> Request:
        return message("tools/call", {"name": name, "arguments": arguments}, headers)

    def bearer() -> Headers:
        return {"Authorization": f"Bearer {service.tokens()['token']}"}

    def fresh(n: int) -> Request:
        return tool("look_up_company", {"cnpj": number(n), "idade_maxima": 0}, key)

    unknown = dict.fromkeys([*UNKNOWN_FIELDS][:1_800], 0)
    for name, make in {
        "tools/list": lambda _: message("tools/list", {}),
        "with a token": lambda _: message("tools/list", {}, bearer()),
        "an unknown method of 16 KB": lambda _: message("ÿ" * 2_600, {}, name="x"),
        "an id of 16 KB": lambda _: message("tools/list", {}, name="\x01" * 2_600),
        "deep": _post("/mcp", DEEP),
    }.items():
        yield Case("MCP list", name, make)
    for name, make in {
        "create_pix_code": lambda _: tool("create_pix_code", LONGEST, key),
        "unknown fields": lambda _: tool("create_pix_code", unknown, key),
        "a key that is none": lambda _: tool("get_usage", {}, {"X-API-Key": "x"}),
        "with a token": lambda n: tool("look_up_company", {"cnpj": number(n)}, bearer()),
    }.items():
        yield Case("MCP tool", name, make)
    yield Case("MCP tool", "look_up_company, the largest record", fresh, "largest")


def _sign_in(service: Service) -> Iterator[Case]:
    def client(n: int) -> dict[str, Any]:
        uris = [f"https://a{n}.example/{'a' * 900}/{place}" for place in range(10)]
        home = "https://a.example/" + "a" * 900
        return {"client_name": "Ç" * 60, "redirect_uris": uris, "client_uri": home}

    def form(path: str, fields: dict[str, str], **headers: str) -> Request:
        return Request("POST", path, {"Content-Type": FORM, **headers}, urlencode(fields).encode())

    def answered(answer: str) -> Make:
        def make(_: int) -> Request:
            address = service.consent_address()
            page = service.call(Request("GET", address))
            cookie = page.headers["Set-Cookie"].partition(";")[0]
            own = {"answer": answer, "key": service.open_account("free")}
            fields = Fields(page.body.decode()).values | own
            return form(address, fields, **{"Cookie": cookie, "Sec-Fetch-Site": "same-origin"})

        return make

    def token(grant_type: str, name: str) -> Make:
        own = {"client_id": service.client_id, "redirect_uri": WEB, "code_verifier": VERIFIER}
        return lambda _: form("/oauth/token", {**own, "grant_type": grant_type, name: service.tokens()[name]})

    def revoke(_: int) -> Request:
        return form("/oauth/revoke", {"client_id": service.client_id, "token": service.tokens()["token"]})

    def unreadable(n: int) -> Request:
        return Request("GET", service.consent_address(client_id=f"https://{n}.invalid/client.json"))

    for route, name, make in (
        ("OAuth register", "10 addresses", lambda n: Request("POST", "/oauth/register", {}, client(n))),
        ("OAuth register", "again", _post("/oauth/register", client(-1))),
        ("OAuth register", "unknown fields", _post("/oauth/register", UNKNOWN_FIELDS)),
        ("OAuth authorize", "the page", _get(service.consent_address())),
        ("OAuth authorize", "a document that cannot be read", unreadable),
        ("OAuth authorize", "allow", answered("allow")),
        ("OAuth authorize", "a new key", answered("new_key")),
        ("OAuth token, revoke", "a code", token("authorization_code", "code")),
        ("OAuth token, revoke", "a refresh token", token("refresh_token", "refresh_token")),
        ("OAuth token, revoke", "revoke", revoke),
    ):
        yield Case(route, name, make)


def _billing(service: Service) -> Iterator[Case]:
    webhook = "/api/v1/billing/webhook"

    def event(_: int) -> Request:
        paying = {"X-API-Key": service.open_account("free")}
        page = json.loads(service.call(Request("POST", "/api/v1/billing/checkout", paying)).body)["url"]
        subscription, _page = service.stripe.pay(page)
        about = {**subscription, "padding": "x" * 200_000}
        body, signature = signed(service.stripe.event("customer.subscription.updated", about))
        return Request("POST", webhook, {"Stripe-Signature": signature}, body)

    unsigned = {"Stripe-Signature": "t=1," + "v1=a," * 1_500}
    yield Case("billing webhook", "an event", event)
    yield Case("billing webhook", "512 KiB without a signature", _post(webhook, b"x" * 524_288, unsigned))
