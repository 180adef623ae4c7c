"""The route that lists the webhooks of an account."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.example import WEBHOOK
from brskills_server.skills.webhooks.wanted import as_answer

_SHAPES: dict[str, Shape] = {}


def _check(content: dict[str, Any]) -> None:
    if issues := check_shape(_SHAPES, content):
        raise InvalidRequest(*issues)


def _answer(_prepared: None, call: Call) -> dict[str, Any]:
    return {"webhooks": [as_answer(each) for each in call.store.list_webhooks(call.find_account().id)]}


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.account.models import NoArguments
    from brskills_server.skills.webhooks.models import WebhookList  # imports pydantic

    return NoArguments, WebhookList


LIST_WEBHOOKS = account_skill(
    name="list_webhooks",
    texts=Texts(
        title="Listar os webhooks",
        purpose="Lista os webhooks da conta, sem os segredos.",
        use="para saber para onde a conta envia eventos.",
        avoid="para ver as tentativas de envio (listDeliveries).",
        notes="Não conta como chamada.",
        english="List the webhooks.",
        guide="""    curl -s {base}/api/v1/webhooks -H "X-API-Key: {key}\"""",
    ),
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    answer=_answer,
    endpoints=(Endpoint("GET", "/api/v1/webhooks", "listWebhooks"),),
    example={"webhooks": [WEBHOOK]},
)
