"""The route that adds a webhook."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.example import ADDRESS, SECRET, WEBHOOK
from brskills_server.skills.webhooks.wanted import NEW, as_answer, read_fields
from brskills_server.webhooks.webhook import EVENT_TYPES, MOST_WEBHOOKS

_CREATED = 201


def _answer(content: dict[str, Any], call: Call) -> dict[str, Any]:
    wanted = read_fields(NEW, content, allow_loopback=call.webhooks.allow_loopback)
    account = call.find_account().id
    events, description = wanted.get("events", EVENT_TYPES), wanted.get("description")
    webhook = call.webhooks.add(account, wanted["url"], events, description)
    if webhook is None:
        raise ApiError("webhook_limit", parameters={"limit": MOST_WEBHOOKS})
    return {**as_answer(webhook), "segredo": webhook.secrets[0].value}


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import CreatedWebhook, NewWebhook  # imports pydantic

    return NewWebhook, CreatedWebhook


CREATE_WEBHOOK = account_skill(
    name="create_webhook",
    texts=Texts(
        title="Criar um webhook",
        purpose="Passa a enviar eventos da conta para um endereço, assinados por Standard Webhooks: "
        "company.changed (uma empresa monitorada mudou), usage.threshold (80 % e 100 % do mês) e webhook.test.",
        use="para receber as mudanças sem perguntar por elas.",
        avoid="para ler o que já mudou (list_changes).",
        notes="Até cinco por conta. O segredo é exibido uma única vez. Não conta como chamada.",
        english="Create a webhook.",
        guide="""    curl -s {base}/api/v1/webhooks -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"url": "https://erp.example.com/webhooks", "eventos": ["company.changed"]}'

201 with `segredo`, shown this once, by which every delivery is signed (Standard Webhooks). Without `eventos`: all of `company.changed`, `usage.threshold`, `webhook.test`. Five an account, then 409 `webhook_limit`.""",
    ),
    models=_models,
    shapes=NEW,
    prepare=dict,
    answer=_answer,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/webhooks",
            "createWebhook",
            {"um": {"url": ADDRESS, "eventos": ["company.changed"], "descricao": "ERP"}},
        ),
    ),
    statuses=(_CREATED,),
    status=lambda _: _CREATED,
    effect="adds",
    errors=("demo_key", "webhook_limit"),
    example={**WEBHOOK, "segredo": SECRET},
)
