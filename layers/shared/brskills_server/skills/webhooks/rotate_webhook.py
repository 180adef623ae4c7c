"""The route that replaces the secret of a webhook."""

from typing import Any

from brskills_server.registry.dates import iso_instant
from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.example import SECRET, WEBHOOK
from brskills_server.skills.webhooks.wanted import ONE, as_answer, not_found, read_id

_CREATED = 201


def _answer(name: str, call: Call) -> dict[str, Any]:
    rotated = call.webhooks.rotate(call.find_account().id, name)
    if rotated is None:
        raise not_found()
    webhook, ends = rotated
    secret = webhook.secrets[0].value
    return {**as_answer(webhook), "segredo": secret, "segredo_anterior_ate": iso_instant(ends)}


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import NamedWebhook, RotatedWebhook  # imports pydantic

    return NamedWebhook, RotatedWebhook


ROTATE_WEBHOOK = account_skill(
    name="rotate_webhook",
    texts=Texts(
        title="Trocar o segredo de um webhook",
        purpose="Gera outro segredo; o anterior também assina por mais 24 horas.",
        use="periodicamente e se o segredo pode ter vazado.",
        avoid="para trocar a chave de API (rotateApiKey).",
        notes="O segredo é exibido uma única vez. Não conta como chamada.",
        english="Replace the secret of a webhook.",
        guide="""    curl -s -X POST {base}/api/v1/webhooks/wh_…/rotate -H "X-API-Key: {key}"

201 with the new `segredo`; for 24 hours both sign each delivery.""",
    ),
    models=_models,
    shapes=ONE,
    prepare=read_id,
    answer=_answer,
    endpoints=(Endpoint("POST", "/api/v1/webhooks/{id}/rotate", "rotateWebhook", {"vazio": {}}),),
    statuses=(_CREATED,),
    status=lambda _: _CREATED,
    needs_body=False,
    effect="adds",
    example={**WEBHOOK, "segredo": SECRET, "segredo_anterior_ate": "2026-11-19T11:06:40Z"},
)
