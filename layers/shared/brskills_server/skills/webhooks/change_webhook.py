"""The route that changes a webhook."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.example import WEBHOOK
from brskills_server.skills.webhooks.wanted import CHANGE, ONE, as_answer, named, not_found, read_fields


def _answer(content: dict[str, Any], call: Call) -> dict[str, Any]:
    given = {name: value for name, value in content.items() if name not in ONE}
    changed = read_fields(CHANGE, given, allow_loopback=call.webhooks.allow_loopback)
    webhook = call.webhooks.change(call.find_account().id, named(content), **changed)
    if webhook is None:
        raise not_found()
    return as_answer(webhook)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import Webhook, WebhookChange  # imports pydantic

    return WebhookChange, Webhook


CHANGE_WEBHOOK = account_skill(
    name="change_webhook",
    texts=Texts(
        title="Alterar um webhook",
        purpose="Altera os campos enviados; os outros ficam como estão.",
        use="para mudar o endereço ou os eventos, ou para ativar um webhook depois de falhas.",
        avoid="para trocar o segredo (rotate_webhook).",
        notes="Não conta como chamada.",
        english="Change a webhook.",
        guide="""    curl -s -X PATCH {base}/api/v1/webhooks/wh_… -H "X-API-Key: {key}" \\
      -H 'Content-Type: application/json' -d '{"ativo": true}'

`url`, `eventos`, `descricao`, `ativo`; what is not sent stays.""",
    ),
    models=_models,
    shapes={**CHANGE, **ONE},
    prepare=dict,
    answer=_answer,
    endpoints=(
        Endpoint(
            "PATCH",
            "/api/v1/webhooks/{id}",
            "changeWebhook",
            {"ativar": {"ativo": True}, "eventos": {"eventos": ["company.changed", "usage.threshold"]}},
        ),
    ),
    effect="adds",
    example=WEBHOOK,
)
