"""How the MCP server introduces itself: what it is called, and what to know before the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brskills_server.runtime.settings import VERSION
from brskills_server.web.url import base_url

if TYPE_CHECKING:
    from brskills_server.runtime.settings import Settings
    from brskills_server.web.request import Request

__all__ = ["icons", "instructions", "server_info"]

_INSTRUCTIONS = (
    "Códigos Pix (BR Code) e o cadastro de empresas brasileiras (CNPJ). Listar é livre; chamar pede uma "
    "chave em X-API-Key ou Authorization: Bearer, ou entrar por OAuth em {base}/mcp/oauth. "
    "{{#signups}}Chave grátis: POST {base}/api/v1/keys, sem corpo."
    "{{else}}As chaves vêm de quem opera este serviço{whom}.{{/signups}} "
    "{{#demo}}Para experimentar, a chave pública {demo} dá {limit} chamadas por mês e endereço. {{/demo}}"
    "As empresas SANDBOX1000170 (ativa) e SANDBOX2000114 (baixada) respondem sempre e nada contam. / Pix "
    "codes and Brazilian company records: listing is open, calls need a key or a sign-in, {base}/llms.txt "
    "tells more."
)


def server_info(settings: Settings, base: str) -> dict[str, Any]:
    """``Implementation``, as the protocol calls it."""
    return {
        "name": "brskills",
        "title": "brskills: Pix e CNPJ",
        "version": VERSION,
        "websiteUrl": settings.project_url,
        "icons": icons(base),
    }


def icons(base: str) -> list[dict[str, Any]]:
    """The page's icon, where we serve it: in every version, so under any name of one."""
    return [{"src": f"{base}/static/any/icon.svg", "mimeType": "image/svg+xml", "sizes": ["any"]}]


def instructions(settings: Settings, request: Request) -> str:
    """What a client shows to its model, with the address that the request came to."""
    return settings.features.render(_INSTRUCTIONS).format(
        base=base_url(request),
        demo=settings.demo_api_key,
        limit=settings.demo_monthly_limit,
        whom=settings.support_contact,
    )
