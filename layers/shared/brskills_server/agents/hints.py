"""Next steps for an agent after a problem; addresses are in full, since it knows that of MCP alone."""

from brskills_server.runtime.settings import Settings

_GET_KEY = {
    "pt": "O que fazer: {{#signups}}peça uma chave grátis com POST {base}/api/v1/keys (sem corpo, resposta em JSON, "
    "campo api_key){{else}}peça uma chave ao operador deste serviço{whom}{{/signups}} e configure-a no cliente MCP "
    "como cabeçalho X-API-Key ou Authorization: Bearer",
    "en": "What to do: {{#signups}}get a free key with POST {base}/api/v1/keys (no body, JSON answer, field "
    "api_key){{else}}ask the operator of this service for a key{whom}{{/signups}} and set it in the MCP client as "
    "header X-API-Key or Authorization: Bearer",
}
_NO_KEY = {
    "pt": _GET_KEY["pt"]
    + "; ou, onde não há cabeçalhos, ligue o cliente a {base}/mcp/oauth e entre por OAuth."
    "{{#demo}} Para experimentar já, serve a chave pública {demo}.{{/demo}}",
    "en": _GET_KEY["en"]
    + "; or, if the client cannot send headers, connect it to {base}/mcp/oauth and sign in by "
    "OAuth.{{#demo}} To try at once, the public key {demo} will do.{{/demo}}",
}
_REPEAT = {
    "pt": "O que fazer: repita a mesma chamada depois de retry_after segundos; repetir é seguro.",
    "en": "What to do: repeat the same call after retry_after seconds; repeating is safe.",
}
_HINTS = {
    "missing_api_key": _NO_KEY,
    "invalid_api_key": _NO_KEY,
    "invalid_token": {
        "pt": "O que fazer: peça outro com o refresh token, ou entre de novo.",
        "en": "What to do: get another by the refresh token, or sign in again.",
    },
    "insufficient_scope": {
        "pt": "O que fazer: entre de novo e peça também este escopo.",
        "en": "What to do: sign in again and ask for this scope too.",
    },
    "invalid_fields": {
        "pt": "O que fazer: corrija estes campos e chame de novo; não invente um valor que falta, pergunte por ele.",
        "en": "What to do: correct these fields and call again; do not make up a missing value, ask for it.",
    },
    "quota_exceeded": {
        "pt": "O que fazer: pare de chamar até a renovação, ou veja os planos: {base}/api/v1/plans.",
        "en": "What to do: stop calling until it renews, or see the plans: {base}/api/v1/plans.",
    },
    "quota_exceeded:demo": {language: text + "." for language, text in _GET_KEY.items()},
    "company_not_found": {
        "pt": "O que fazer: confira o número com quem o deu; se confirmado é false, a empresa pode ser recente demais: tente look_up_company, hoje e em alguns dias.",
        "en": "What to do: check the number with its source; if confirmado is false, the company may be too recent: try look_up_company, today and in some days.",
    },
    "sources_unavailable": {
        "pt": "O que fazer: com idade_maxima ou idade_dados_maxima, repita sem elas ou com um número maior; sem elas, "
        "repita a mesma chamada depois de retry_after segundos.",
        "en": "What to do: with idade_maxima or idade_dados_maxima, repeat without them or with a greater number; "
        "without them, repeat the same call after retry_after seconds.",
    },
    "copy_unavailable": {
        "pt": "O que fazer: este serviço não pode buscar nem ver mudanças; com o CNPJ, use look_up_company, e sem ele, peça-o.",
        "en": "What to do: this service cannot search or show changes; with the CNPJ use look_up_company, without it ask for it.",
    },
    "cursor_expired": {
        "pt": "O que fazer: repita a busca sem cursor, desde a primeira página.",
        "en": "What to do: repeat the search without a cursor, from the first page.",
    },
    "uncounted_limit": {
        "pt": "O que fazer: pare de repetir pedidos recusados ou de teste, e tente de novo depois de retry_after segundos.",
        "en": "What to do: stop repeating refused or test requests, and try again after retry_after seconds.",
    },
    "store_unavailable": _REPEAT,
}


def hint_for(code: str, language: str, base: str, settings: Settings) -> str:
    """Return one line in ``pt`` or ``en``, or an empty text. ``code`` may have a wording appended."""
    texts = _HINTS.get(code) or _HINTS.get(code.partition(":")[0], {"pt": "", "en": ""})
    hint = settings.features.render(texts[language])
    return hint.format(base=base, demo=settings.demo_api_key, whom=settings.support_contact)
