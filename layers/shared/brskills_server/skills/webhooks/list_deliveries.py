"""The route of the last attempts to reach a webhook."""

from datetime import UTC, datetime
from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.wanted import ONE, not_found, read_id
from brskills_server.webhooks.webhook import Attempt

_MOST = 100


def _answer(name: str, call: Call) -> dict[str, Any]:
    webhook = call.store.read_webhook(call.find_account().id, name)
    if webhook is None:
        raise not_found()
    return {"deliveries": [_listed(attempt) for attempt in call.store.list_attempts(webhook, _MOST)]}


def _listed(attempt: Attempt) -> dict[str, Any]:
    at = datetime.fromtimestamp(attempt.at / 1000, UTC)
    return {
        "id": attempt.id,
        "tipo": attempt.type,
        "tentativa": attempt.number,
        "em": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "status": attempt.status,
        "erro": attempt.error or None,
        "duracao_ms": attempt.duration,
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import DeliveryList, NamedWebhook  # imports pydantic

    return NamedWebhook, DeliveryList


LIST_DELIVERIES = account_skill(
    name="list_deliveries",
    texts=Texts(
        title="Ver as tentativas de envio",
        purpose="Retorna as últimas cem tentativas de enviar a um webhook, da mais recente à mais antiga, com o "
        "status da resposta e o tempo, sem o corpo.",
        use="para saber por que um envio não chegou.",
        avoid="para reler o que mudou (list_changes).",
        notes="Guarda 30 dias. Não conta como chamada.",
        english="See the attempts to deliver to a webhook.",
        guide="""    curl -s {base}/api/v1/webhooks/wh_…/deliveries -H "X-API-Key: {key}"

The last hundred attempts, newest first.""",
    ),
    models=_models,
    shapes=ONE,
    prepare=read_id,
    answer=_answer,
    endpoints=(Endpoint("GET", "/api/v1/webhooks/{id}/deliveries", "listDeliveries"),),
    example={
        "deliveries": [
            {
                "id": "msg_9f86d081884c7d659a2feaa0c55ad015",
                "tipo": "company.changed",
                "tentativa": 1,
                "em": "2026-11-18T11:06:40.120Z",
                "status": 200,
                "erro": None,
                "duracao_ms": 12,
            }
        ]
    },
)
