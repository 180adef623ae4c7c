"""Operations of the service: plans, status, and the documents for agents."""

from typing import Any

from brskills_server.skills.service.models import Health, Participants, Plans, Status
from brskills_server.skills.tool_formats import FORMATS
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS, VERSIONS
from brskills_server.web.openapi.models import KeySet, RpcAnswer, Tools
from brskills_server.web.openapi.operation import (
    KEY_EXAMPLE,
    PUBLIC_ERRORS,
    Body,
    Operation,
    Response,
    parameter,
)

_WITH_KEY = "Com uma chave, inclui as APIs exclusivas da conta."
_MESSAGE: dict[str, Any] = {
    "type": "object",
    "description": "Uma requisição ou notificação JSON-RPC 2.0.",
    "required": ["jsonrpc", "method"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "method": {"type": "string", "examples": ["tools/list"]},
        "params": {"type": "object"},
    },
}
_TEXT, _OBJECT = {"type": "string"}, {"type": "object"}
_KEY_READ = (*PUBLIC_ERRORS, "store_unavailable")
"""Errors of a document that a key adds its account's custom skills to."""
_LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
_CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "look_up_company", "arguments": {"cnpj": "SANDBOX1000170"}},
}


SERVICE_OPERATIONS = (
    Operation(
        "GET", "/api/v1/plans", id="listPlans", tag="Serviço",
        summary="Ver os planos",
        description="Preços e limites dos planos, em JSON. Use para escolher um plano. Não use para saber "
        "quantas chamadas restam no seu (getUsage).",
        responses={200: Response("Os planos.", Plans)},
    ),
    Operation(
        "GET", "/api/v1/status", id="getStatus", tag="Serviço",
        summary="Ver o status do serviço",
        description="Status do armazenamento, de cada API e de cada fonte do cadastro, conforme observado nos "
        "últimos 15 minutos, e a disponibilidade de até 90 dias. Use depois de um 503. Não use antes "
        "de cada chamada. Retorna 200 em qualquer status.",
        responses={200: Response("O status.", Status)},
    ),
    Operation(
        "GET", "/.well-known/jwks.json", id="listProofKeys", tag="Serviço",
        summary="Ver as chaves das provas",
        description="As chaves públicas das respostas assinadas (Accept: application/jose), também as antigas, como JWK Set "
        "(RFC 7517).",
        responses={200: Response("As chaves.", KeySet)},
        errors=(*PUBLIC_ERRORS, "store_unavailable"),
    ),
    Operation(
        "GET", "/api/v1/participants", id="listParticipants", tag="Serviço",
        summary="Ver os participantes do Pix",
        description="A lista de participantes do Pix publicada pelo Banco Central, com a data. Use para dar nome a um "
        "ISPB. Não use para saber de quem é uma chave: isso só os bancos sabem.",
        responses={200: Response("A lista, ou só o participante de ispb.", Participants, headers=("ETag",))},
        errors=(*PUBLIC_ERRORS, "invalid_fields", "not_found"),
        parameters=(parameter("query", "ispb", "Oito caracteres: só este participante.", "00000000"),),
    ),
    Operation(
        "GET", "/api/v1/health", id="getHealth", tag="Serviço",
        summary="Verificar se o serviço pode atender",
        description="Retorna 200 se uma chamada pode ser contada agora; caso contrário, 503. Use em um balanceador "
        "de carga. Não use antes de cada chamada ou para verificar as fontes (getStatus).",
        responses={200: Response("O serviço pode atender.", Health)},
        errors=(*PUBLIC_ERRORS, "store_unavailable"),
    ),
    Operation(
        "POST", "/mcp", id="sendMcpMessage", tag="Agentes",
        summary="Enviar uma mensagem MCP",
        description="Model Context Protocol sem estado, nas revisões 2026-07-28 e 2024-11-05 a 2025-11-25. Use por "
        "meio de um cliente MCP. Não use diretamente: as mesmas ferramentas são rotas HTTP comuns. "
        "Listar não exige chave; tools/call exige a chave em X-API-Key ou Authorization: Bearer, e erros são "
        "retornados como resultado com isError. Um token de acesso (OAuth 2.1) pode substituir a chave. "
        "/mcp/oauth funciona da mesma forma, mas requisições sem credencial recebem 401.",
        responses={
            200: Response("O resultado ou um erro do protocolo.", RpcAnswer, headers=("Mcp-Session-Id",)),
            202: Response("Notificação recebida."),
        },
        errors=("rpc:400", "rpc:401", "rpc:403", "rpc:404", "rpc:413", "rpc:415", *PUBLIC_ERRORS),
        body=Body(_MESSAGE, {"listar": _LISTING, "chamar": _CALL}),
        parameters=(
            parameter(
                "header", "MCP-Protocol-Version", "A revisão do protocolo; obrigatório em 2026-07-28.", "2025-11-25",
                enum=[*HANDSHAKE_VERSIONS, *VERSIONS],
            ),
            parameter("header", "Mcp-Method", "O mesmo valor de method; obrigatório em 2026-07-28.", "tools/list"),
            parameter(
                "header", "Mcp-Name", "O mesmo valor de params.name; obrigatório em tools/call de 2026-07-28.", "look_up_company"
            ),
            parameter(
                "header", "Mcp-Session-Id", "O que a resposta a initialize trouxe, até 2025-11-25.", f"ui.{'0' * 32}"
            ),
            parameter("header", "X-API-Key", "A chave; só para tools/call.", KEY_EXAMPLE),
        ),
    ),
    Operation(
        "GET", "/api/v1/tools", id="listTools", tag="Agentes",
        summary="Listar as ferramentas para um modelo",
        description=(
            "As ferramentas no formato de cada API de modelos. Use para oferecê-las a um modelo sem MCP: "
            "envie tools sem alterações e execute as chamadas por routes. Não use se o seu cliente tem suporte a MCP.",
            _WITH_KEY,
        ),
        responses={200: Response("As ferramentas.", Tools)},
        errors=(*PUBLIC_ERRORS, "invalid_fields", "store_unavailable"),
        parameters=(
            parameter(
                "query", "format", "API ou protocolo a que o formato se destina.", "anthropic",
                enum=list(FORMATS), default=FORMATS[0],
            ),
        ),
    ),
    Operation(
        "GET", "/api/v1/openapi.json", id="getOpenApi", tag="Agentes",
        summary="Ver este documento",
        description=(
            "A API completa em OpenAPI 3.1. Use para gerar um cliente. Não use para oferecer "
            "ferramentas a um modelo (listTools).",
            _WITH_KEY,
        ),
        responses={200: Response("O documento.", others={"application/json": _OBJECT})},
        errors=_KEY_READ,
    ),
    Operation(
        "GET", "/llms.txt", id="getLlmsTxt", tag="Agentes",
        summary="Ver o resumo para agentes",
        description=(
            "Ponto de partida para agentes. Use antes de qualquer outra rota. Não use como referência (getOpenApi).",
            _WITH_KEY,
        ),
        responses={200: Response("Markdown.", others={"text/plain": _TEXT})},
        errors=_KEY_READ,
    ),
    Operation(
        "GET", "/SKILL.md", id="getSkill", tag="Agentes",
        summary="Ver a skill instalável",
        description=(
            "O serviço como Agent Skill. Use para instalá-lo em um agente. Não use se o agente tem suporte a MCP.",
            _WITH_KEY,
        ),
        responses={200: Response("Markdown com cabeçalho YAML.", others={"text/markdown": _TEXT})},
        errors=_KEY_READ,
    ),
    Operation(
        "GET", "/.well-known/ai-catalog.json", id="getAiCatalog", tag="Agentes",
        summary="Ver o catálogo",
        description="Recursos para agentes neste domínio. Use para descobri-los. Não use para chamá-los.",
        responses={200: Response("O catálogo.", others={"application/ai-catalog+json": _OBJECT})},
    ),
    Operation(
        "GET", "/mcp/server-card", id="getServerCard", tag="Agentes",
        summary="Ver o cartão do servidor MCP",
        description="Como se conectar a /mcp. Use para configurar um cliente. Não use para listar ferramentas.",
        responses={200: Response("O cartão.", others={"application/mcp-server-card+json": _OBJECT})},
    ),
    Operation(
        "GET", "/server.json", id="getServerJson", tag="Agentes",
        summary="Ver a ficha para registros de MCP",
        description="Ficha lida por registros de servidores MCP. Use para publicar o servidor. Não use para "
        "chamá-lo.",
        responses={200: Response("A ficha.", others={"application/json": _OBJECT})},
    ),
)  # fmt: skip
