"""The MCP server's name, version and instructions."""

from typing import Any

from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.web.request import Request

_INSTRUCTIONS = (
    "Códigos Pix (BR Code) e o cadastro de empresas brasileiras (CNPJ). Listar é livre; chamar pede uma "
    "chave em X-API-Key ou Authorization: Bearer, ou entrar por OAuth em {base}/mcp/oauth. "
    "{{#signups}}Chave grátis: POST {base}/api/v1/keys, sem corpo."
    "{{else}}As chaves vêm do operador deste serviço{whom}.{{/signups}} "
    "{{#demo}}Para experimentar, a chave pública {demo} dá {limit} chamadas por mês e endereço. {{/demo}}"
    "As empresas SANDBOX1000170 (ativa) e SANDBOX2000114 (baixada) respondem sempre e nada contam. / Pix "
    "codes and Brazilian company records: listing is open, calls need a key or a sign-in, more at "
    "{base}/llms.txt."
)


def server_info(settings: Settings, base: str) -> dict[str, Any]:
    """Return the protocol's ``Implementation``."""
    return {
        "name": "brskills",
        "title": "brskills: Pix e CNPJ",
        "version": VERSION,
        "websiteUrl": settings.project_url,
        "icons": icons(base),
    }


def icons(base: str) -> list[dict[str, Any]]:
    """Return the page's icon, which is served under every version."""
    return [{"src": f"{base}/static/any/icon.svg", "mimeType": "image/svg+xml", "sizes": ["any"]}]


def instructions(settings: Settings, request: Request) -> str:
    """Return what a client shows to its model, with the address of the request."""
    return settings.features.render(_INSTRUCTIONS).format(
        base=request.base_url,
        demo=settings.demo_api_key,
        limit=settings.demo_monthly_limit,
        whom=settings.support_contact,
    )
