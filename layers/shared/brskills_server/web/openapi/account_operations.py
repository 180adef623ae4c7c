"""Operations of keys, grants and billing."""

from brskills_server.accounts.plans import PLANS
from brskills_server.skills.account.billing import BillingPage, BillingRequest
from brskills_server.skills.account.grants import EndRequest, ListedGrants
from brskills_server.skills.account.keys import IssuedKey, RevokeRequest, RotateRequest, SignupRequest
from brskills_server.web.openapi.models import WebhookResult
from brskills_server.web.openapi.operation import (
    BODY_ERRORS,
    KEY_ERRORS,
    KEY_EXAMPLE,
    OPEN_ERRORS,
    Answer,
    Body,
    Operation,
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
        "POST", "/api/v1/keys", "createApiKey", "Conta",
        "Criar uma chave grátis",
        f"Abre uma conta grátis ({_FREE_CALLS} chamadas por mês) e devolve a sua chave, que só aparece aqui. Não pede chave, nem "
        "e-mail, nem confirmação. **Use** uma vez e guarde a chave. **Não use** a cada sessão: cada "
        "endereço, ou e-mail, recebe só algumas por dia e por mês. Para trocar uma chave, use rotateApiKey.",
        {201: Answer("A chave nova.", IssuedKey, _ISSUED)},
        (*OPEN_ERRORS, *BODY_ERRORS, "signup_closed", "signup_limit", "store_unavailable"),
        Body(SignupRequest, {"sem_email": {}, "com_email": {"email": "dev@exemplo.com.br"}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/keys/rotate", "rotateApiKey", "Conta",
        "Trocar a chave",
        "Dá outra chave à mesma conta, com o mesmo plano e a mesma contagem; a antiga vale até o fim da "
        "sobreposição. **Use** de tempos em tempos, e já, sem sobreposição, se a chave pode ter vazado. Uma conta tem até 10 "
        "chaves ativas. Se não se sabe se a troca foi feita, o 503 store_unavailable traz a chave nova em api_key: tente com "
        "ela antes da antiga. **Não use** com a chave de demonstração.",
        {201: Answer("A chave nova.", IssuedKey, _ISSUED)},
        (*KEY_ERRORS, *BODY_ERRORS, "demo_key"),
        Body(RotateRequest, {"imediata": {}, "uma_hora": {"sobreposicao_segundos": 3600}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/keys/revoke", "revokeApiKey", "Conta",
        "Revogar a chave",
        "Encerra na hora a chave enviada; não há volta. **Use** para sair, ou para encerrar uma de várias. **Não "
        "use** com a única chave de uma conta que continua, nem se ela vazou: troque-a (rotateApiKey).",
        {204: Answer("Encerrada.")},
        (*KEY_ERRORS, *BODY_ERRORS, "demo_key"),
        Body(RevokeRequest, {"vazio": {}}, required=False),
    ),
    Operation(
        "GET", "/api/v1/grants", "listGrants", "Conta",
        "Ver os acessos dados a programas",
        "Os programas que entraram por OAuth e podem chamar /mcp em nome da conta, com o que cada um chamou por mês. "
        "**Use** para saber quem tem acesso. **Não use** para ver a cota (getUsage).",
        {200: Answer("Os acessos.", ListedGrants, {"acessos": [_GRANT]})},
        (*KEY_ERRORS, "demo_key"),
    ),
    Operation(
        "POST", "/api/v1/grants/end", "endGrant", "Conta",
        "Encerrar um acesso",
        "Encerra na hora um acesso e tudo o que foi dado por ele; as chaves da conta ficam. **Use** quando um programa não deve "
        "mais chamar. **Não use** se a chave vazou: troque-a (rotateApiKey), e acabam todos os acessos dados com ela.",
        {204: Answer("Encerrado.")},
        (*KEY_ERRORS, *BODY_ERRORS, "demo_key", "not_found"),
        Body(EndRequest, {"um": {"id": "4Xq0ZbT7mPd2KcLs"}}),
    ),
    Operation(
        "POST", "/api/v1/billing/checkout", "createCheckout", "Cobrança",
        "Assinar o Pro",
        "Dá o endereço de uma página de pagamento, para uma pessoa abrir. **Use** quando o dono da conta quer o plano "
        "Pro. **Não use** para mudar ou cancelar (openBillingPortal).",
        {200: Answer("A página.", BillingPage, {"url": "https://checkout.stripe.com/c/pay/cs_test_a1"})},
        (*_BILLING_ERRORS, "already_subscribed"),
        Body(BillingRequest, {"vazio": {}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/billing/portal", "openBillingPortal", "Cobrança",
        "Gerir a assinatura",
        "Dá o endereço de uma página para mudar, pagar ou cancelar, para uma pessoa abrir. **Use** quando já há uma "
        "assinatura. **Não use** para a primeira (createCheckout).",
        {200: Answer("A página.", BillingPage, {"url": "https://billing.stripe.com/p/session/test_a1"})},
        (*_BILLING_ERRORS, "not_found"),
        Body(BillingRequest, {"vazio": {}}, required=False),
    ),
    Operation(
        "POST", "/api/v1/billing/webhook", "receiveBillingEvent", "Cobrança",
        "Receber um evento do processador",
        "Só para o processador de pagamentos, que assina o que envia. **Não use**: sem assinatura é 400.",
        {200: Answer("Recebido.", WebhookResult, {"resultado": "ignored"})},
        (*OPEN_ERRORS, "malformed_json", "invalid_signature", "store_unavailable", "billing_unavailable"),
        Body({"type": "object", "description": "Um evento do Stripe."}),
        (parameter("header", "Stripe-Signature", "Assinatura do corpo; sem ela, 400.", _SIGNATURE),),
    ),
)  # fmt: skip
