"""Requests that are right, or nearly: what hostile ones are made of."""

from typing import Any

from tests.unit.brcode.samples import VECTORS

PIX = {
    "chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "Recife",
    "txid": "a1", "descricao": "x", "cep": "01310100", "mcc": "0000", "uso_unico": False, "estrito": False,
}  # fmt: skip
COMPANIES = ["SANDBOX1000170", "33000167000101", "19131243000197", "12ABC34501DE35"]
SIGNATURE = f"t=1795000000,v1={'a' * 64},v0=b"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
NAMES = """Accept Accept-Language Content-Type Content-Encoding Idempotency-Key If-None-Match Origin
Authorization X-API-Key X-Forwarded-For X-Forwarded-Proto Host Cookie Sec-Fetch-Site Mcp-Method Mcp-Name
MCP-Protocol-Version Mcp-Session-Id Stripe-Signature Range X-Odd""".replace("\n", " ").split(" ")
VALUES = """application/json|image/png|image/svg+xml|text/plain|*/*|en|pt-BR;q=0.1, en;q=9|gzip|Bearer x|a
application/x-www-form-urlencoded|Bearer brsk_at_x|Basic eDp4|https|api.example|[::1]:0|192.0.2.1, ::1
2026-07-28|2025-11-25|tools/call|W/"a"|=?utf-8?B?w6k=?=|t=1,v1=x""".replace("\n", "|").split("|")
BODIES: dict[str, list[Any]] = {
    "/api/v1/skills/pix": [PIX],
    "/api/v1/skills/pix/lote": [{"itens": [PIX, PIX], "parcial": True}],
    "/api/v1/skills/pix/decode": [{"brcode": vector["payload"]} for vector in VECTORS],
    "/api/v1/skills/pix/conferir": [{"brcode": vector["payload"]} for vector in VECTORS],
    "/api/v1/skills/cnpj": [{"cnpj": cnpj, "idade_maxima": 0} for cnpj in COMPANIES],
    "/api/v1/skills/cnpj/busca": [{"nome": "SANDBOX"}, {"nome": ["padaria"], "uf": "SP", "limite": 2}],
    "/api/v1/skills/cnpj/lote": [{"cnpjs": COMPANIES[:2], "parcial": False}],
    "/api/v1/skills/cnpj/historico": [{"cnpj": cnpj} for cnpj in COMPANIES],
    "/api/v1/keys": [{"email": "dev@exemplo.com.br"}],
    "/api/v1/grants/end": [{"id": "x"}],
    "/oauth/register": [{"redirect_uris": ["https://a.example/cb"], "client_name": "A"}],
}
TOOLS: list[dict[str, Any]] = [
    {"name": "create_pix_code", "arguments": PIX},
    {"name": "decode_pix_code", "arguments": {"brcode": VECTORS[0]["payload"]}},
    {"name": "check_pix_payee", "arguments": {"brcode": VECTORS[0]["payload"]}},
    {"name": "look_up_company", "arguments": {"cnpj": COMPANIES[0]}},
    {"name": "company_history", "arguments": {"cnpj": COMPANIES[0]}},
    {"name": "search_companies", "arguments": {"nome": ["SANDBOX"], "mei": False}},
    {"name": "get_usage", "arguments": {}},
]
