"""The route that deletes a webhook."""

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import NO_CONTENT, Call, Endpoint, Model, Texts
from brskills_server.skills.webhooks.wanted import ONE, read_id


def _answer(name: str, call: Call) -> None:
    call.store.delete_webhook(call.find_account().id, name)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.webhooks.models import DeletedWebhook, NamedWebhook  # imports pydantic

    return NamedWebhook, DeletedWebhook


DELETE_WEBHOOK = account_skill(
    name="delete_webhook",
    texts=Texts(
        title="Apagar um webhook",
        purpose="Apaga um webhook e o que ainda seria enviado a ele.",
        use="quando o endereço não deve receber mais nada.",
        avoid="para parar por um tempo (change_webhook com ativo false).",
        notes="Também responde se ele já não existia. Não conta como chamada.",
        english="Delete a webhook.",
        guide="""    curl -s -X DELETE {base}/api/v1/webhooks/wh_… -H "X-API-Key: {key}"

204, also where it is gone already.""",
    ),
    models=_models,
    shapes=ONE,
    prepare=read_id,
    answer=_answer,
    endpoints=(Endpoint("DELETE", "/api/v1/webhooks/{id}", "deleteWebhook"),),
    statuses=(NO_CONTENT,),
    status=lambda _: NO_CONTENT,
    effect="ends",
)
