"""OpenAPI operations of the key, grant and billing endpoints; Portuguese here, English in `web/english.json`."""

from brskills_server.accounts.accounts import MAX_KEYS
from brskills_server.accounts.plans import PLANS
from brskills_server.skills.account.billing import BillingPage, BillingRequest
from brskills_server.skills.account.grants import EndRequest, ListedGrants
from brskills_server.skills.account.keys import IssuedKey, RevokeRequest, RotateRequest, SignupRequest
from brskills_server.web.openapi.models import WebhookResult
from brskills_server.web.openapi.operation import (
    BODY_ERRORS,
    KEY_ERRORS,
    KEY_EXAMPLE,
    PUBLIC_ERRORS,
    Body,
    Operation,
    Response,
    parameter,
)

_FREE_CALLS = PLANS["free"].monthly_limit
_ISSUED = {
    "api_key": KEY_EXAMPLE,
    "id": "acc_9d36b84f0a1b2c3d",
    "plano": "free",
    "limite_mensal": _FREE_CALLS,
}
_GRANT = {
    "id": "4Xq0ZbT7mPd2KcLs",
    "programa": "Assistente",
    "programa_id": "https://assistente.example/cliente.json",
    "escopos": ["pix", "cnpj"],
    "redirecionado_a": "https://assistente.example/retorno",
    "concedido_em": "2026-11-18T11:06:40Z",
    "usado_em": "2026-11-18T12:06:40Z",
    "expira_em": "2026-12-18T12:06:40Z",
    "chamadas": {"2026-11": 12},
}
_SIGNATURE = "t=1795000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"
_BILLING_ERRORS = (*KEY_ERRORS, *BODY_ERRORS, "demo_key", "billing_unavailable")

ACCOUNT_OPERATIONS = (
    Operation(
        "POST", "/api/v1/keys", id="createApiKey", tag="Conta",
        summary="Criar uma chave grátis",
        description=f"Cria uma conta grátis ({_FREE_CALLS} chamadas por mês) e retorna a chave, exibida uma única vez. Não exige "
        "autenticação, e-mail ou confirmação. Use uma vez e guarde a chave. Não use a cada sessão: cada IP ou e-mail "
        "recebe só algumas por dia e por mês. Para rotacionar uma chave, use rotateApiKey.",
        responses={201: Response("A chave nova.", IssuedKey, example=_ISSUED)},
        errors=(*PUBLIC_ERRORS, *BODY_ERRORS, "signup_closed", "signup_limit", "store_unavailable"),
        body=Body(SignupRequest, {"sem_email": {}, "com_email": {"email": "dev@exemplo.com.br"}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/keys/rotate", id="rotateApiKey", tag="Conta",
        summary="Rotacionar a chave",
        description="Gera outra chave para a mesma conta, com o mesmo plano e a mesma contagem; a antiga continua válida até o fim "
        "da sobreposição. Use periodicamente e, se a chave pode ter vazado, imediatamente e sem sobreposição. Uma conta tem "
        f"até {MAX_KEYS} chaves ativas. Se não for possível confirmar a rotação, o 503 store_unavailable traz a chave nova em "
        "api_key: tente com ela antes da antiga. Não use com a chave de demonstração.",
        responses={201: Response("A chave nova.", IssuedKey, example=_ISSUED)},
        errors=(*KEY_ERRORS, *BODY_ERRORS, "demo_key"),
        body=Body(RotateRequest, {"imediata": {}, "uma_hora": {"sobreposicao_segundos": 3600}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/keys/revoke", id="revokeApiKey", tag="Conta",
        summary="Revogar a chave",
        description="Revoga imediatamente a chave da requisição. Irreversível. Use para deixar o serviço ou para "
        "revogar uma de várias chaves. Não use com a única chave de uma conta em uso ou se a chave "
        "vazou: rotacione-a (rotateApiKey).",
        responses={204: Response("Chave revogada.")},
        errors=(*KEY_ERRORS, *BODY_ERRORS, "demo_key"),
        body=Body(RevokeRequest, {"vazio": {}}, required=False),
    ),
    Operation(
        "GET", "/api/v1/grants", id="listGrants", tag="Conta",
        summary="Listar os acessos concedidos",
        description="Aplicativos autorizados por OAuth a chamar /mcp em nome da conta, com as chamadas de cada um por "
        "mês. Use para saber quem tem acesso. Não use para consultar a cota (getUsage).",
        responses={200: Response("Os acessos.", ListedGrants, example={"acessos": [_GRANT]})},
        errors=(*KEY_ERRORS, "demo_key"),
    ),
    Operation(
        "POST", "/api/v1/grants/end", id="endGrant", tag="Conta",
        summary="Revogar o acesso de um aplicativo",
        description="Revoga imediatamente um acesso concedido e todos os seus tokens; as chaves da conta continuam "
        "válidas. Use quando um aplicativo não deve mais fazer chamadas. Não use se a chave vazou: "
        "rotacione-a (rotateApiKey), o que revoga todos os acessos concedidos com ela.",
        responses={204: Response("Acesso revogado.")},
        errors=(*KEY_ERRORS, *BODY_ERRORS, "demo_key", "not_found"),
        body=Body(EndRequest, {"um": {"id": "4Xq0ZbT7mPd2KcLs"}}),
    ),
    Operation(
        "POST", "/api/v1/billing/checkout", id="createCheckout", tag="Cobrança",
        summary="Assinar o Pro",
        description="Retorna a URL de checkout, para uma pessoa abrir no navegador. Use quando o titular da conta "
        "quer o plano Pro. Não use para alterar ou cancelar a assinatura (openBillingPortal).",
        responses={200: Response("A URL da página.", BillingPage, example={"url": "https://checkout.stripe.com/c/pay/cs_test_a1"})},
        errors=(*_BILLING_ERRORS, "already_subscribed"),
        body=Body(BillingRequest, {"vazio": {}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/billing/portal", id="openBillingPortal", tag="Cobrança",
        summary="Gerenciar a assinatura",
        description="Retorna a URL do portal de cobrança, em que uma pessoa pode alterar, pagar ou cancelar a "
        "assinatura. Use quando já existe uma assinatura. Não use para a primeira (createCheckout).",
        responses={200: Response("A URL da página.", BillingPage, example={"url": "https://billing.stripe.com/p/session/test_a1"})},
        errors=(*_BILLING_ERRORS, "not_found"),
        body=Body(BillingRequest, {"vazio": {}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/billing/webhook", id="receiveBillingEvent", tag="Cobrança",
        summary="Receber um evento do processador de pagamentos",
        description="Exclusivo do processador de pagamentos, que assina cada evento. Não use: requisições sem "
        "assinatura válida recebem 400.",
        responses={200: Response("Recebido.", WebhookResult, example={"resultado": "ignored"})},
        errors=(*PUBLIC_ERRORS, "malformed_json", "invalid_signature", "store_unavailable", "billing_unavailable"),
        body=Body({"type": "object", "description": "Um evento da Stripe."}),
        parameters=(
            parameter("header", "Stripe-Signature", "Assinatura do corpo; se ausente ou inválida, a resposta é 400.", _SIGNATURE),
        ),
    ),
)  # fmt: skip
