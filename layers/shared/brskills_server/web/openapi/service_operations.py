"""Operations of the service: plans, status, and the documents for agents."""

from typing import Any

from brskills_server.skills.service.models import Health, Plans, Status
from brskills_server.skills.tool_formats import FORMATS
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS, VERSIONS
from brskills_server.web.openapi.models import RpcAnswer, Tools
from brskills_server.web.openapi.operation import KEY_EXAMPLE, OPEN_ERRORS, Answer, Body, Operation, parameter

_WITH_KEY = "Com uma chave, mostra também as habilidades que só a conta dela tem."
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
_KEY_READ = (*OPEN_ERRORS, "store_unavailable")
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
        "GET", "/api/v1/plans", "listPlans", "Serviço",
        "Ver os planos",
        "Preços e limites como dados. **Use** para escolher um plano. **Não use** para saber o que resta do seu "
        "(getUsage).",
        {200: Answer("Os planos.", Plans)},
    ),
    Operation(
        "GET", "/api/v1/status", "getStatus", "Serviço",
        "Ver o estado do serviço",
        "O estado do armazenamento, de cada habilidade e de cada fonte do registro, pelo que se viu nos últimos 15 "
        "minutos; e a disponibilidade de até 90 dias. **Use** depois de um 503. **Não use** antes de cada chamada. É 200 "
        "seja qual for o estado.",
        {200: Answer("O estado.", Status)},
    ),
    Operation(
        "GET", "/api/v1/health", "getHealth", "Serviço",
        "Saber se o serviço pode atender",
        "200 quando uma chamada poderia ser contada agora; senão 503. **Use** num balanceador de carga. **Não use** antes "
        "de cada chamada, nem para saber das fontes (getStatus).",
        {200: Answer("Pode.", Health)},
        (*OPEN_ERRORS, "store_unavailable"),
    ),
    Operation(
        "POST", "/mcp", "sendMcpMessage", "Agentes",
        "Falar MCP",
        "Model Context Protocol sem estado, nas revisões 2026-07-28 e 2024-11-05 a 2025-11-25. **Use** por meio de um "
        "cliente MCP. **Não use** à mão: as mesmas habilidades são rotas HTTP comuns. Listar é livre; tools/call "
        "pede a chave em X-API-Key ou Authorization: Bearer, e uma recusa vem como resultado com isError. Em vez da "
        "chave serve um token de acesso (OAuth 2.1). Em /mcp/oauth, de resto igual, quem não traz credencial recebe 401.",
        {200: Answer("O resultado, ou um erro do protocolo.", RpcAnswer, headers=()), 202: Answer("Notificação recebida.")},
        ("rpc:400", "rpc:401", "rpc:403", "rpc:404", "rpc:413", "rpc:415", *OPEN_ERRORS),
        Body(_MESSAGE, {"listar": _LISTING, "chamar": _CALL}),
        (
            parameter(
                "header", "MCP-Protocol-Version", "A revisão; obrigatório em 2026-07-28.", "2025-11-25",
                enum=[*HANDSHAKE_VERSIONS, *VERSIONS],
            ),
            parameter("header", "Mcp-Method", "Repete method; obrigatório em 2026-07-28.", "tools/list"),
            parameter("header", "Mcp-Name", "Repete params.name; obrigatório em tools/call de 2026-07-28.", "look_up_company"),
            parameter("header", "X-API-Key", "A chave; só para tools/call.", KEY_EXAMPLE),
        ),
    ),
    Operation(
        "GET", "/api/v1/tools", "listTools", "Agentes",
        "Ver as ferramentas para um modelo",
        (
            "As habilidades no formato de ferramentas de cada API de modelos. **Use** para dar as habilidades a um modelo "
            "sem MCP: passe tools como está e execute por routes. **Não use** se o seu cliente fala MCP.",
            _WITH_KEY,
        ),
        {200: Answer("As ferramentas.", Tools)},
        (*OPEN_ERRORS, "invalid_fields", "store_unavailable"),
        parameters=(
            parameter(
                "query", "format", "De quem é o formato.", "anthropic", enum=list(FORMATS), default=FORMATS[0]
            ),
        ),
    ),
    Operation(
        "GET", "/api/v1/openapi.json", "getOpenApi", "Agentes",
        "Ver este documento",
        (
            "A API inteira em OpenAPI 3.1. **Use** para gerar um cliente. **Não use** para dar ferramentas a um modelo "
            "(listTools).",
            _WITH_KEY,
        ),
        {200: Answer("O documento.", others={"application/json": _OBJECT})},
        _KEY_READ,
    ),
    Operation(
        "GET", "/llms.txt", "getLlmsTxt", "Agentes",
        "Ver o resumo para agentes",
        ("Por onde um agente começa. **Use** antes de tudo o mais. **Não use** como referência (getOpenApi).", _WITH_KEY),
        {200: Answer("Markdown.", others={"text/plain": _TEXT})},
        _KEY_READ,
    ),
    Operation(
        "GET", "/SKILL.md", "getSkill", "Agentes",
        "Ver a habilidade instalável",
        ("O serviço como Agent Skill. **Use** para instalá-lo num agente. **Não use** se ele fala MCP.", _WITH_KEY),
        {200: Answer("Markdown com cabeçalho YAML.", others={"text/markdown": _TEXT})},
        _KEY_READ,
    ),
    Operation(
        "GET", "/.well-known/ai-catalog.json", "getAiCatalog", "Agentes",
        "Ver o catálogo",
        "O que há para agentes neste domínio. **Use** para descobrir. **Não use** para chamar.",
        {200: Answer("O catálogo.", others={"application/ai-catalog+json": _OBJECT})},
    ),
    Operation(
        "GET", "/mcp/server-card", "getServerCard", "Agentes",
        "Ver o cartão do servidor MCP",
        "Como se conectar a /mcp. **Use** para configurar um cliente. **Não use** para listar ferramentas.",
        {200: Answer("O cartão.", others={"application/mcp-server-card+json": _OBJECT})},
    ),
    Operation(
        "GET", "/server.json", "getServerJson", "Agentes",
        "Ver a ficha para registros de MCP",
        "A ficha que registros de servidores MCP leem. **Use** para publicar. **Não use** para chamar.",
        {200: Answer("A ficha.", others={"application/json": _OBJECT})},
    ),
)  # fmt: skip
