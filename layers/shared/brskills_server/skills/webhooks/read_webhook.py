"""The route of one webhook."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.example import WEBHOOK
from brskills_server.skills.webhooks.wanted import ONE, as_answer, not_found, read_id


def _answer(name: str, call: Call) -> dict[str, Any]:
    webhook = call.store.read_webhook(call.find_account().id, name)
    if webhook is None:
        raise not_found()
    return as_answer(webhook)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import NamedWebhook, Webhook  # imports pydantic

    return NamedWebhook, Webhook


READ_WEBHOOK = account_skill(
    name="read_webhook",
    texts=Texts(
        title="Ver um webhook",
        purpose="Retorna um webhook, sem o segredo.",
        use="para saber se está ativo, e por que não.",
        avoid="para ver as tentativas de envio (listDeliveries).",
        notes="Não conta como chamada.",
        english="See a webhook.",
        guide="""    curl -s {base}/api/v1/webhooks/wh_… -H "X-API-Key: {key}\"""",
    ),
    models=_models,
    shapes=ONE,
    prepare=read_id,
    answer=_answer,
    endpoints=(Endpoint("GET", "/api/v1/webhooks/{id}", "readWebhook"),),
    example=WEBHOOK,
)
