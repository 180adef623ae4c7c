"""Every problem by its code: its HTTP status, and its texts in Portuguese and English.

A test holds the table to completeness, and ``template.yaml``'s gateway responses to these words.
"""

from typing import NamedTuple

__all__ = ["PROBLEMS", "UNREADABLE", "ProblemKind", "ProblemText"]


class ProblemText(NamedTuple):
    """Title and detail in one language; the detail is a format string."""

    title: str
    detail: str


class ProblemKind(NamedTuple):
    """A problem's status and its texts by language."""

    status: int
    texts: dict[str, ProblemText]


def _kind(status: int, pt: tuple[str, str], en: tuple[str, str]) -> ProblemKind:
    return ProblemKind(status, {"pt": ProblemText(*pt), "en": ProblemText(*en)})


PROBLEMS = {
    "malformed_json": _kind(400,
        ("JSON malformado", "O corpo não é um JSON válido: {reason}. Envie um objeto JSON em UTF-8."),
        ("Malformed JSON", "The body is not valid JSON: {reason}. Send a JSON object in UTF-8.")),
    "malformed_json:empty": _kind(400,
        ("Corpo vazio", "O corpo está vazio. Envie um objeto JSON com os campos do pedido; quais são, em /api/v1/openapi.json."),
        ("Empty body", "The body is empty. Send a JSON object with the request's fields; which they are is at /api/v1/openapi.json.")),
    "malformed_json:not_utf8": _kind(400,
        ("Corpo fora de UTF-8", "O corpo não é UTF-8: o byte {byte} (contado de 1) não pode estar ali. Talvez seja Latin-1 (ISO-8859-1, Windows-1252). Envie JSON em UTF-8."),
        ("Body not in UTF-8", "The body is not UTF-8: byte {byte} (counted from 1) cannot stand there. It may be Latin-1 (ISO-8859-1, Windows-1252). Send JSON in UTF-8.")),
    "malformed_json:utf16": _kind(400,
        ("Corpo fora de UTF-8", "O corpo está em UTF-16 ou UTF-32. Envie JSON em UTF-8."),
        ("Body not in UTF-8", "The body is in UTF-16 or UTF-32. Send JSON in UTF-8.")),
    "invalid_signature": _kind(400,
        ("Assinatura inválida", "A assinatura do evento não confere ou expirou; nada foi processado."),
        ("Invalid signature", "The event's signature does not match or has expired; nothing was processed.")),
    "missing_api_key": _kind(401,
        ("Falta a chave", "Envie sua chave no cabeçalho X-API-Key. Como conseguir uma: /llms.txt. Um token de acesso (brsk_at_…) só vale em /mcp."),
        ("API key missing", "Send your key in the X-API-Key header. How to get one: /llms.txt. An access token (brsk_at_…) is good at /mcp alone.")),
    "missing_api_key:sign_in": _kind(401,
        ("Entre para continuar", "Este endereço é o de entrar por OAuth: o cliente MCP abre uma página em que uma pessoa permite o acesso."),
        ("Sign in to go on", "This address is the one for signing in by OAuth: the MCP client opens a page on which a person allows access.")),
    "invalid_api_key": _kind(401,
        ("Chave inválida", "A chave não existe ou foi revogada. Como conseguir uma: /llms.txt. Um token de acesso (brsk_at_…) só vale em /mcp."),
        ("Invalid API key", "The key does not exist or was revoked. How to get one: /llms.txt. An access token (brsk_at_…) is good at /mcp alone.")),
    "invalid_token": _kind(401,
        ("Token inválido", "O token de acesso não existe, expirou, ou a permissão ou a chave de onde ele veio foi encerrada."),
        ("Invalid token", "The access token does not exist, has expired, or the grant or key that it came from has ended.")),
    "insufficient_scope": _kind(403,
        ("Permissão insuficiente", "O token de acesso não permite isto: falta o escopo {scope}."),
        ("Insufficient scope", "The access token does not allow this: it lacks the scope {scope}.")),
    "demo_key": _kind(403,
        ("Chave de demonstração", "A chave pública de demonstração não pode fazer isto. Use uma que seja sua; como conseguir: /llms.txt."),
        ("Demo key", "The public demo key cannot do this. Use one of your own; how to get it: /llms.txt.")),
    "signup_closed": _kind(403,
        ("Chaves só com o operador", "Aqui ninguém recebe uma chave por conta própria: peça a sua a quem opera este serviço{whom_to_ask}."),
        ("Keys from the operator alone", "Nobody gets a key here by themselves: ask whoever runs this service for yours{whom_to_ask}.")),
    "not_found": _kind(404,
        ("Rota inexistente", "Não há esta rota com este método. A lista está em /api/v1/openapi.json."),
        ("No such route", "There is no such route by this method. The list is at /api/v1/openapi.json.")),
    "not_found:subscription": _kind(404,
        ("Sem assinatura", "Esta conta não tem assinatura a administrar. Para assinar: POST /api/v1/billing/checkout."),
        ("No subscription", "This account has no subscription to manage. To subscribe: POST /api/v1/billing/checkout.")),
    "not_found:grant": _kind(404,
        ("Acesso inexistente", "Esta conta não tem um acesso com este id; talvez já tenha acabado. Os que há: GET /api/v1/grants."),
        ("No such grant", "This account has no grant with this id; it may have ended already. Those there are: GET /api/v1/grants.")),
    "company_not_found": _kind(404,
        ("Empresa inexistente", "Fontes independentes concordam: este CNPJ não está no registro."),
        ("No such company", "Independent sources agree: this CNPJ is not in the registry.")),
    "company_not_found:unconfirmed": _kind(404,
        ("Empresa não encontrada", "As fontes que responderam não têm este CNPJ, mas pode ser novo demais para elas. Nada foi contado."),
        ("Company not found", "The sources that answered do not have this CNPJ, but it may be too new for them. Nothing was counted.")),
    "company_not_found:counted": _kind(404,
        ("Empresa não encontrada", "As fontes que responderam não têm este CNPJ, mas pode ser novo demais para elas. As respostas assim que são grátis no mês acabaram (veja /api/v1/plans): esta contou."),
        ("Company not found", "The sources that answered do not have this CNPJ, but it may be too new for them. The month's free answers of this kind are used up (see /api/v1/plans): this one was counted.")),
    "already_subscribed": _kind(409,
        ("Já é Pro", "Esta conta já tem uma assinatura. Para mudá-la, use POST /api/v1/billing/portal."),
        ("Already subscribed", "This account already has a subscription. To change it, use POST /api/v1/billing/portal.")),
    "already_subscribed:in_arrears": _kind(409,
        ("Assinatura sem efeito", "Esta conta tem uma assinatura que agora não dá o Pro: sem pagamento, pausada, ou com o pagamento devolvido ou contestado. Regularize ou encerre em POST /api/v1/billing/portal."),
        ("Subscription without effect", "This account has a subscription that does not give Pro now: unpaid, paused, or its payment was refunded or disputed. Settle or end it at POST /api/v1/billing/portal.")),
    "body_too_large": _kind(413,
        ("Corpo grande demais", "O corpo passa de 16 KiB (16384 bytes); só um lote pode ter 256 KiB."),
        ("Body too large", "The body is over 16 KiB (16384 bytes); only a batch may have 256 KiB.")),
    "body_too_large:batch": _kind(413,
        ("Corpo grande demais", "O corpo passa de 256 KiB (262144 bytes); divida o lote."),
        ("Body too large", "The body is over 256 KiB (262144 bytes); split the batch.")),
    "unsupported_media_type": _kind(415,
        ("Tipo de conteúdo não aceito", "Envie o corpo como application/json."),
        ("Unsupported media type", "Send the body as application/json.")),
    "unsupported_media_type:compressed": _kind(415,
        ("Corpo comprimido", "O corpo chegou comprimido (gzip, br ou outra codificação). Envie-o sem comprimir e sem Content-Encoding."),
        ("Compressed body", "The body arrived compressed (gzip, br or another coding). Send it uncompressed and without Content-Encoding.")),
    "invalid_fields": _kind(422,
        ("Campos inválidos", "Corrija os campos listados em errors; nada foi contado."),
        ("Invalid fields", "Correct the fields listed in errors; nothing was counted.")),
    "idempotency_key_reused": _kind(422,
        ("Idempotency-Key já usada", "Nas últimas 24 horas esta chave de idempotência veio com outro pedido. Use uma nova para cada pedido; a mesma, só para repeti-lo."),
        ("Idempotency-Key reused", "In the last 24 hours this idempotency key came with another request. Use a new one for each request, and the same only to repeat it.")),
    "quota_exceeded": _kind(429,
        ("Cota do mês esgotada", "As {limit} chamadas de {month} foram usadas; a cota renova em {resets_at}, à meia-noite de Brasília. Para ter mais antes, veja os planos em /api/v1/plans."),
        ("Monthly quota used up", "The {limit} calls of {month} are used; the quota renews on {resets_at}, at midnight in Brasília. To have more before, see the plans at /api/v1/plans.")),
    "quota_exceeded:demo": _kind(429,
        ("Cota da demonstração esgotada", "As {limit} chamadas de {month} que a chave pública de demonstração dá a cada endereço foram usadas; há outras a partir de {resets_at}. Peça uma chave grátis, com cota própria, em POST /api/v1/keys ou na página deste serviço (se ele não as dá, a resposta diz a quem pedir)."),
        ("Demo quota used up", "The {limit} calls of {month} that the public demo key gives each address are used; there are others from {resets_at}. Get a free key, with a quota of its own, by POST /api/v1/keys or on this service's page (if it gives none, the answer says whom to ask).")),
    "quota_exceeded:batch": _kind(429,
        ("Lote maior que a cota", "O lote precisa de {calls} chamadas e restam {remaining} das {limit} de {month}; nada foi contado. Com \"parcial\": true, as primeiras que couberem são respondidas. A cota renova em {resets_at}, à meia-noite de Brasília."),
        ("Batch beyond the quota", "The batch needs {calls} calls, and {remaining} of the {limit} of {month} are left; nothing was counted. With \"parcial\": true the first that fit are answered. The quota renews on {resets_at}, at midnight in Brasília.")),
    "throttled": _kind(429,
        ("Rápido demais", "Chamadas demais por segundo; espere um instante e repita. Nada foi contado."),
        ("Too fast", "Too many calls a second; wait a moment and repeat. Nothing was counted.")),
    "uncounted_limit": _kind(429,
        ("Limite do que não conta", "O que não conta chamadas (pedidos recusados, testes, repetições, consultas sem resposta das fontes) tem um limite por minuto e por mês, e ele acabou. Tente em {wait}; o que conta segue normalmente, menos as consultas que dependem das fontes."),
        ("Limit of uncounted requests", "Requests that count no call (refused requests, tests, repetitions, look-ups that the sources did not answer) have a limit per minute and per month, and it is used up. Try again in {wait}; counted calls go on as usual, except look-ups that need the sources.")),
    "signup_limit": _kind(429,
        ("Chaves demais hoje", "Este endereço ou e-mail já recebeu {most} chaves hoje, o máximo de um dia; tente em {wait}. Uma chave que já recebeu continua valendo."),
        ("Too many keys today", "This address or e-mail has had {most} keys today, the most of a day; try again in {wait}. A key that was given before is still good.")),
    "signup_limit:month": _kind(429,
        ("Chaves demais em 30 dias", "Este endereço ou e-mail já recebeu {most} chaves nos últimos {days} dias, o máximo; tente em {wait}. Uma chave que já recebeu continua valendo."),
        ("Too many keys in 30 days", "This address or e-mail has had {most} keys in the last {days} days, the most there are; try again in {wait}. A key that was given before is still good.")),
    "internal_error": _kind(500,
        ("Erro interno", "A falha é nossa. Repita, e informe o request_id a quem opera este serviço se continuar."),
        ("Internal error", "The fault is ours. Repeat, and tell whoever runs this service the request_id if it stays.")),
    "internal_error:whom": _kind(500,
        ("Erro interno", "A falha é nossa. Repita, e informe o request_id a quem opera este serviço{whom_to_ask} se continuar."),
        ("Internal error", "The fault is ours. Repeat, and tell whoever runs this service{whom_to_ask} the request_id if it stays.")),
    "sources_unavailable": _kind(503,
        ("Fontes indisponíveis", "Nenhuma fonte do registro respondeu a contento; tente em {retry_after} segundos. Nada foi contado."),
        ("Sources unavailable", "No source of the registry answered as asked; try again in {retry_after} seconds. Nothing was counted.")),
    "sources_unavailable:late": _kind(503,
        ("Habilidade lenta demais", "A habilidade não respondeu em {seconds} segundos, o seu limite; tente em {retry_after} segundos. Nada foi contado."),
        ("Skill too slow", "The skill did not answer within {seconds} seconds, its limit; try again in {retry_after} seconds. Nothing was counted.")),
    "sources_unavailable:custom": _kind(503,
        ("Fonte indisponível", "O que esta habilidade consulta não respondeu; tente em {retry_after} segundos. Nada foi contado."),
        ("Source unavailable", "What this skill asks did not answer; try again in {retry_after} seconds. Nothing was counted.")),
    "store_unavailable": _kind(503,
        ("Armazenamento indisponível", "Não foi possível verificar a chave ou a cota agora; tente em instantes."),
        ("Store unavailable", "The key or the quota could not be checked now; try again in a moment.")),
    "store_unavailable:rotation": _kind(503,
        ("Troca não confirmada", "Não se sabe se a chave foi trocada. Guarde a nova, em api_key, e tente com ela: se for recusada (401), a antiga continua valendo."),
        ("Rotation not confirmed", "The key may or may not have been replaced. Keep the new one, in api_key, and try it: if it is refused (401), the old one is still active.")),
    "billing_unavailable": _kind(503,
        ("Cobrança indisponível", "O processador de pagamentos não está configurado ou não responde; o resto funciona."),
        ("Billing unavailable", "The payment processor is not configured or not answering; the rest works.")),
}  # fmt: skip
"""Statuses and texts by machine code, with ``:wording`` behind it where one code has several texts."""

UNREADABLE = {
    "malformed_request": _kind(400,
        ("Requisição malformada", "O que chegou não é HTTP/1.1 válido; a conexão foi encerrada e nada foi contado."),
        ("Malformed request", "What arrived is not valid HTTP/1.1; the connection was closed and nothing was counted.")),
    "request_timeout": _kind(408,
        ("Requisição lenta demais", "A requisição não chegou inteira a tempo; a conexão foi encerrada e nada foi contado."),
        ("Request too slow", "The request did not arrive whole in time; the connection was closed and nothing was counted.")),
    "uri_too_long": _kind(414,
        ("Endereço longo demais", "O caminho e a consulta passam de 8190 bytes."),
        ("Address too long", "Path and query are over 8190 bytes.")),
    "headers_too_large": _kind(431,
        ("Cabeçalhos grandes demais", "A linha da requisição e os cabeçalhos passam de 16 KiB (16384 bytes)."),
        ("Headers too large", "The request line and the headers are over 16 KiB (16384 bytes).")),
    "unsupported_transfer_encoding": _kind(501,
        ("Codificação não aceita", "Envie o corpo com Content-Length ou com Transfer-Encoding: chunked, sem outra codificação."),
        ("Transfer coding not supported", "Send the body with Content-Length or with Transfer-Encoding: chunked, and no other coding.")),
}  # fmt: skip
"""The same for requests that the gateway cannot read: no route is known yet, so they belong to none."""
