"""What is asked of both servers."""

import json

from tests.bench.warm.servers import KEY

__all__ = ["PIX", "READ", "WRITTEN", "bytes_of"]

WRITTEN, READ = "a Pix code, counted", "a code read"
PIX = {
    "chave": "pix@exemplo.com.br",
    "valor": "49.90",
    "nome_recebedor": "Padaria",
    "cidade": "São Paulo",
    "txid": "PEDIDO42",
}
CODE = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo"
    "62120508PEDIDO426304C12A"
)
_REQUESTS = {WRITTEN: ("/api/v1/skills/pix", PIX), READ: ("/api/v1/skills/pix/decode", {"brcode": CODE})}


def bytes_of(request: str) -> bytes:
    """A request as it is sent, which leaves its connection open."""
    path, content = _REQUESTS[request]
    body = json.dumps(content, ensure_ascii=False).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nX-API-Key: {KEY}\r\n\r\n"
    )
    return head.encode() + body
