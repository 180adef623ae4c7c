"""The route that sends a test event to a webhook."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.wanted import ONE, not_found, read_id
from brskills_server.webhooks.webhooks import WebhookInactive

_ACCEPTED = 202


def _answer(name: str, call: Call) -> dict[str, Any]:
    try:
        sent = call.webhooks.test(call.find_account().id, name)
    except WebhookInactive:
        raise ApiError("webhook_inactive") from None
    if sent is None:
        raise not_found()
    return {"id": sent}


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import NamedWebhook, SentEvent  # imports pydantic

    return NamedWebhook, SentEvent


SEND_TEST_EVENT = account_skill(
    name="send_test_event",
    texts=Texts(
        title="Testar um webhook",
        purpose="Envia um evento webhook.test ao endereço, quaisquer que sejam os eventos do webhook.",
        use="para testar quem recebe.",
        avoid="com um webhook inativo.",
        notes="Até 60 por hora e conta. O resultado aparece em listDeliveries. Não conta como chamada.",
        english="Send a test event to a webhook.",
        guide="""    curl -s -X POST {base}/api/v1/webhooks/wh_…/test -H "X-API-Key: {key}"

202 with the `webhook-id` of the delivery; at most 60 an hour.""",
    ),
    models=_models,
    shapes=ONE,
    prepare=read_id,
    answer=_answer,
    endpoints=(Endpoint("POST", "/api/v1/webhooks/{id}/test", "testWebhook", {"vazio": {}}),),
    statuses=(_ACCEPTED,),
    status=lambda _: _ACCEPTED,
    needs_body=False,
    effect="adds",
    errors=("demo_key", "webhook_inactive"),
    example={"id": "msg_9f86d081884c7d659a2feaa0c55ad015"},
)
