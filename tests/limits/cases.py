"""The most expensive requests that are known, right ones and wrong ones, by routes that cost the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import signed
from tests.limits.companies import number
from tests.limits.service import FORM, VERIFIER, Request, Service
from tests.services.sign_in import WEB, Fields

__all__ = ["Case", "cases_of"]

Make = Callable[[int], Request]
"""The request of a run: each has another number, which nobody has asked for."""

SKILLS = "/api/v1/skills"
FAULTS = {f"{n:x}": 0 for n in range(1_900)}
"""Unknown fields, in a body of just under 16 KiB."""
LOCATION = "pix.exemplo.com.br/" + "a" * 58
LONGEST = {
    "url": LOCATION, "url_recorrencia": LOCATION, "nome_recebedor": "Ç" * 25, "cidade": "Ç" * 15,
    "cep": "01310100", "mcc": "5812", "uso_unico": True,
}  # fmt: skip


class Case(NamedTuple):
    """``sources``: how they answer meanwhile (``Service.play``). ``slow``: run once, also for times."""

    route: str
    name: str
    make: Make
    sources: str = "deny"
    slow: bool = False


def cases_of(service: Service) -> Iterator[Case]:
    """Every case, the cheaper routes first."""
    key = {"X-API-Key": service.key}
    yield from _pix(key)
    yield from _companies(service, key)
    yield from _account(service, key)
    yield from _open_routes()
    yield from _agents(service, key)
    yield from _sign_in(service)
    yield from _billing(service, key)
    yield from _no_route()


def _always(request: Request) -> Make:
    return lambda _: request


def _post(path: str, body: Any, headers: dict[str, str]) -> Make:
    return _always(Request("POST", path, headers, body))


def _pix(key: dict[str, str]) -> Iterator[Case]:
    pix, batch, decode = f"{SKILLS}/pix", f"{SKILLS}/pix/lote", f"{SKILLS}/pix/decode"
    picture, drawing = key | {"Accept": "image/png"}, key | {"Accept": "image/svg+xml"}
    foreign = {**LONGEST, "nome_recebedor": "漢" * 2_500, "cidade": "ß" * 3_500}
    yield Case("Pix code", "as PNG", _post(pix, LONGEST, picture))
    yield Case("Pix code", "as SVG, under a key", _post(pix, LONGEST, drawing | {"Idempotency-Key": "a"}))
    yield Case(
        "Pix code",
        "counted, under a new key",
        lambda n: Request("POST", pix, key | {"Idempotency-Key": f"n{n}"}, {**LONGEST, "valor": n + 1}),
    )
    yield Case("Pix code", "with the demo key", _post(pix, LONGEST, {"X-API-Key": DEMO_KEY}))
    yield Case("Pix code", "foreign letters", _post(pix, foreign, key))
    yield Case("Pix code", "faults", _post(pix, FAULTS, key))
    whole = {"itens": [LONGEST] * 100}
    names = {"itens": [{**LONGEST, "nome_recebedor": "漢" * 700}] * 100}
    faults = {"itens": [{f"{n:x}": 0 for n in range(300)}] * 100}
    yield Case(
        "Pix batch",
        "100 codes",
        lambda n: Request(
            "POST", batch, key | {"Idempotency-Key": f"b{n}"}, {"itens": [{**LONGEST, "valor": n + 1}] * 100}
        ),
    )
    yield Case("Pix batch", "100 codes again", _post(batch, whole, key | {"Idempotency-Key": "c"}))
    yield Case("Pix batch", "foreign letters", _post(batch, names, key))
    yield Case("Pix batch", "faults", _post(batch, faults, key))
    short = [f"{n:02d}01a" for n in range(1, 99)]
    for name, text in {
        "objects": "000201" + "".join(short),
        "templates": "000201" + "".join(f"{n}20" + "0116" + "01" * 8 for n in range(26, 46)),
        "text": "0" * 512,
    }.items():
        yield Case("Pix decode", name, _post(decode, {"brcode": text[:512]}, key))
    yield Case("Pix decode", "faults", _post(decode, FAULTS, key))


def _companies(service: Service, key: dict[str, str]) -> Iterator[Case]:
    cnpj, batch, payee = f"{SKILLS}/cnpj", f"{SKILLS}/cnpj/lote", f"{SKILLS}/pix/conferir"
    fresh: dict[str, Any] = {"idade_maxima": 0}

    def asked(n: int) -> Request:
        return Request("POST", cnpj, key | {"Idempotency-Key": f"a{n}"}, {"cnpj": number(n), **fresh})

    def paid(n: int) -> Request:
        return Request("POST", cnpj, key, {"cnpj": number(n), "idade_dados_maxima": 1, **fresh})

    def many(n: int) -> Request:
        numbers = [number(1_000_000 + n * 100 + place) for place in range(100)]
        return Request("POST", batch, key | {"Idempotency-Key": f"m{n}"}, {"cnpjs": numbers, **fresh})

    def checked(n: int) -> Request:
        return Request("POST", payee, key, {"chave": number(n), "nome_recebedor": "Ç" * 200})

    yield Case("company", "the largest record", asked, "largest", True)
    yield Case(
        "company", "the largest record, stored", _post(cnpj, {"cnpj": number(0)}, key), "largest", True
    )
    yield Case("company", "absent", asked)
    yield Case("company", "refused records", asked, "refused")
    yield Case("company", "recent data, absent", paid)
    yield Case("company", "recent data, refused", paid, "refused")
    yield Case(
        "company",
        "by GET, 1,600 parameters",
        _always(Request("GET", f"{cnpj}/x?" + "&".join(f"{n:x}" for n in range(1_600)), key)),
    )
    yield Case("company", "faults", _post(cnpj, FAULTS, key))
    yield Case("payee check", "the largest record", checked, "largest", True)
    yield Case("payee check", "absent", checked)
    yield Case("payee check", "faults", _post(payee, FAULTS, key))
    yield Case("company batch", "100 records of 100 KB", many, "large", slow=True)
    yield Case("company batch", "100 refused records", many, "refused", slow=True)
    yield Case("company batch", "100 absent", many, slow=True)
    yield Case("company batch", "faults", _post(batch, {f"{n:x}": 0 for n in range(27_000)}, key))


def _account(service: Service, key: dict[str, str]) -> Iterator[Case]:
    custom = f"{SKILLS}/custom/odd_echo"
    yield Case("custom skill that is not there", "with a key", _post(custom, FAULTS, key))
    yield Case("usage", "with history", _always(Request("GET", "/api/v1/usage", key)))
    yield Case(
        "rotate, revoke",
        "rotate",
        lambda _: Request(
            "POST",
            "/api/v1/keys/rotate",
            {"X-API-Key": service.open_account("free")[0]},
            {"sobreposicao_segundos": 86_400},
        ),
    )
    yield Case(
        "rotate, revoke",
        "revoke",
        lambda _: Request("POST", "/api/v1/keys/revoke", {"X-API-Key": service.open_account("free")[0]}),
    )
    yield Case("rotate, revoke", "faults", _post("/api/v1/keys/rotate", FAULTS, key))
    yield Case(
        "sign-up",
        "with an e-mail",
        lambda n: Request("POST", "/api/v1/keys", {}, {"email": f"{'a' * 60}@b{n}.example"}),
    )
    yield Case("sign-up", "faults", _post("/api/v1/keys", FAULTS, {}))
    yield Case("grants", "list", _always(Request("GET", "/api/v1/grants", key)))
    yield Case("grants", "end", _post("/api/v1/grants/end", {"id": "x" * 22}, key))


def _open_routes() -> Iterator[Case]:
    for path in ("/api/v1/status", "/api/v1/health", "/api/v1/plans"):
        yield Case("status, health, plans", path, _always(Request("GET", path)))
    yield Case("OpenAPI", "with a key", _always(Request("GET", "/api/v1/openapi.json", {"X-API-Key": "x"})))
    for path in (
        "/api/v1/tools",
        "/llms.txt",
        "/SKILL.md",
        "/.well-known/ai-catalog.json",
        "/mcp/server-card",
        "/server.json",
    ):
        yield Case("documents", path, _always(Request("GET", path)))
    for path in ("/", "/en", "/reference", "/robots.txt", "/sitemap.xml", "/favicon.ico"):
        yield Case("pages", path, _always(Request("GET", path)))
    yield Case(
        "static files",
        "the reference's viewer",
        _always(Request("GET", "/static/x/viewer/swagger-ui-bundle.js")),
    )


def _agents(service: Service, key: dict[str, str]) -> Iterator[Case]:
    def message(method: str, params: Any, headers: dict[str, str] | None = None, name: Any = 1) -> Make:
        body = {"jsonrpc": "2.0", "id": name, "method": method, "params": params}
        return _post("/mcp", body, headers or {})

    deep = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b'{"a":' * 3_000
    yield Case("MCP list", "tools/list", message("tools/list", {}))
    yield Case(
        "MCP list",
        "with a token",
        lambda _: message("tools/list", {}, {"Authorization": f"Bearer {service.tokens()['token']}"})(0),
    )
    yield Case("MCP list", "an unknown method of 16 KB", message("ÿ" * 2_600, {}, name="x"))
    yield Case("MCP list", "an id of 16 KB", message("tools/list", {}, name="\x01" * 2_600))
    yield Case("MCP list", "deep", _post("/mcp", deep, {}))
    yield Case(
        "MCP tool",
        "create_pix_code",
        message("tools/call", {"name": "create_pix_code", "arguments": LONGEST}, key),
    )
    yield Case(
        "MCP tool",
        "faults",
        message(
            "tools/call", {"name": "create_pix_code", "arguments": dict.fromkeys([*FAULTS][:1_800], 0)}, key
        ),
    )
    yield Case(
        "MCP tool",
        "a key that is none",
        message("tools/call", {"name": "get_usage", "arguments": {}}, {"X-API-Key": "x"}),
    )
    yield Case(
        "MCP tool",
        "look_up_company, the largest record",
        lambda n: message(
            "tools/call",
            {"name": "look_up_company", "arguments": {"cnpj": number(n), "idade_maxima": 0}},
            key,
        )(n),
        "largest",
    )
    yield Case(
        "MCP tool",
        "with a token",
        lambda n: message(
            "tools/call",
            {"name": "look_up_company", "arguments": {"cnpj": number(n)}},
            {"Authorization": f"Bearer {service.tokens()['token']}"},
        )(n),
    )


def _sign_in(service: Service) -> Iterator[Case]:
    def client(n: int) -> dict[str, Any]:
        uris = [f"https://a{n}.example/{'a' * 900}/{place}" for place in range(10)]
        return {
            "client_name": "Ç" * 60,
            "redirect_uris": uris,
            "client_uri": "https://a.example/" + "a" * 900,
        }

    def form(path: str, **fields: str) -> Request:
        from urllib.parse import urlencode

        return Request("POST", path, {"Content-Type": FORM}, urlencode(fields).encode())

    def answered(answer: str) -> Request:
        page = service.call(Request("GET", service.consent_address()))
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        said = {**Fields(page.body.decode()).values, "answer": answer, "key": service.open_account("free")[0]}
        request = form(service.consent_address(), **said)
        return request._replace(
            headers={**request.headers, "Cookie": cookie, "Sec-Fetch-Site": "same-origin"}
        )

    def token(kind: str) -> Request:
        ours = service.tokens()
        named = {"client_id": service.client_id, "redirect_uri": WEB, "code_verifier": VERIFIER}
        shown = (
            {"code": ours["code"]}
            if kind == "authorization_code"
            else {"refresh_token": ours["refresh_token"]}
        )
        return form("/oauth/token", grant_type=kind, **named, **shown)

    yield Case(
        "OAuth metadata", "of the server", _always(Request("GET", "/.well-known/oauth-authorization-server"))
    )
    yield Case("OAuth register", "10 addresses", lambda n: Request("POST", "/oauth/register", {}, client(n)))
    yield Case("OAuth register", "again", _post("/oauth/register", client(-1), {}))
    yield Case("OAuth register", "faults", _post("/oauth/register", FAULTS, {}))
    yield Case("OAuth authorize", "the page", _always(Request("GET", service.consent_address())))
    yield Case(
        "OAuth authorize",
        "a document that cannot be read",
        lambda n: Request("GET", service.consent_address(client_id=f"https://{n}.invalid/client.json")),
    )
    yield Case("OAuth authorize", "allow", lambda _: answered("allow"))
    yield Case("OAuth authorize", "a new key", lambda _: answered("new_key"))
    yield Case("OAuth token, revoke", "a code", lambda _: token("authorization_code"))
    yield Case("OAuth token, revoke", "a refresh token", lambda _: token("refresh_token"))
    yield Case(
        "OAuth token, revoke",
        "revoke",
        lambda _: form("/oauth/revoke", client_id=service.client_id, token=service.tokens()["token"]),
    )


def _billing(service: Service, key: dict[str, str]) -> Iterator[Case]:
    def event(_: int) -> Request:
        paying = {"X-API-Key": service.open_account("free")[0]}
        page = json.loads(service.call(Request("POST", "/api/v1/billing/checkout", paying)).body)["url"]
        subscription, _ = service.stripe.pay(page)
        about = {**subscription, "padding": "x" * 200_000}
        body, header = signed(service.stripe.event("customer.subscription.updated", about))
        return Request("POST", "/api/v1/billing/webhook", {"Stripe-Signature": header}, body)

    yield Case(
        "checkout, portal",
        "checkout",
        lambda _: Request("POST", "/api/v1/billing/checkout", {"X-API-Key": service.open_account("free")[0]}),
    )
    yield Case("checkout, portal", "portal", _post("/api/v1/billing/portal", {}, key))
    yield Case("billing webhook", "an event", event)
    yield Case(
        "billing webhook",
        "512 KiB without a signature",
        _post("/api/v1/billing/webhook", b"x" * 524_288, {"Stripe-Signature": "t=1," + "v1=a," * 1_500}),
    )


def _no_route() -> Iterator[Case]:
    yield Case("preflight, unknown route", "preflight", _always(Request("OPTIONS", f"{SKILLS}/pix")))
    yield Case(
        "preflight, unknown route",
        "an unknown route with 512 KiB",
        _post("/" + "a/" * 4_000, b"x" * 524_288, {}),
    )
    yield Case("preflight, unknown route", "no key", _post(f"{SKILLS}/pix", b"x" * 524_288, {}))
