"""Requests and answers of webhooks, for schemas; the skills check by ``shape``."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from brskills_server.skills.account.models import NoArguments
from brskills_server.skills.webhooks.example import ADDRESS, NAME
from brskills_server.skills.webhooks.wanted import DESCRIPTION_FORM, MOST_DESCRIPTION
from brskills_server.webhooks.address import MOST_CHARACTERS

_EventType = Literal["company.changed", "usage.threshold", "webhook.test"]
_URL = "Para onde enviar: https, um domínio público e a porta 443, com até 2.048 caracteres."


def _limit_list(schema: dict[str, Any]) -> None:
    schema["anyOf"][0] |= {"minItems": 1, "uniqueItems": True}


_Events = Annotated[
    list[_EventType] | None,
    Field(
        description="O que enviar; sem o campo, tudo.",
        examples=[["company.changed"]],
        json_schema_extra=_limit_list,
    ),
]
_Description = Annotated[
    str | None,
    Field(
        max_length=MOST_DESCRIPTION,
        description="A sua descrição, com até 200 caracteres; vazia ou null, nenhuma.",
        examples=["ERP"],
        json_schema_extra={"pattern": DESCRIPTION_FORM},
    ),
]
_Id = Annotated[str, Field(description="O id do webhook.", examples=[NAME])]


class NewWebhook(BaseModel, extra="forbid"):
    """O webhook a criar."""

    url: str = Field(max_length=MOST_CHARACTERS, description=_URL, examples=[ADDRESS])
    eventos: _Events = None
    descricao: _Description = None


class WebhookChanges(BaseModel, extra="forbid"):
    """O que muda; um campo ausente fica como está."""

    url: str | None = Field(None, max_length=MOST_CHARACTERS, description=_URL, examples=[ADDRESS])
    eventos: _Events = Field(None, description="O que enviar.")
    descricao: _Description = None
    ativo: bool | None = Field(None, description="Se envia; true também depois de falhas.", examples=[True])


class WebhookChange(WebhookChanges):
    """Qual webhook muda, e o quê."""

    id: _Id


class NamedWebhook(NoArguments):
    """Qual webhook."""

    id: _Id


class Webhook(BaseModel):
    """Um webhook."""

    id: _Id
    url: str = Field(description="Para onde envia.", examples=[ADDRESS])
    eventos: list[_EventType] = Field(description="O que envia.", examples=[["company.changed"]])
    descricao: str | None = Field(description="A sua descrição.", examples=["ERP"])
    ativo: bool = Field(description="Se envia.")
    motivo: Literal["pedido", "gone", "falhas"] | None = Field(
        description="Por que está inativo: a seu pedido, por uma resposta 410 ou por cinco dias de falhas."
    )
    criado_em: str = Field(description="ISO 8601.", examples=["2026-11-18T11:06:40Z"])


class CreatedWebhook(Webhook):
    """O webhook criado, com o segredo, exibido uma única vez."""

    segredo: str = Field(
        description="Assina cada envio.", examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
    )


class RotatedWebhook(CreatedWebhook):
    """O webhook com o segredo novo, exibido uma única vez."""

    segredo_anterior_ate: str = Field(
        description="Até quando o segredo anterior também assina, ISO 8601.",
        examples=["2026-11-19T11:06:40Z"],
    )


class WebhookList(BaseModel):
    """Os webhooks da conta."""

    webhooks: list[Webhook] = Field(description="Na ordem em que foram criados.")


class DeletedWebhook(BaseModel):
    """O webhook não existe mais."""


class SentEvent(BaseModel):
    """O evento de teste que será enviado."""

    id: str = Field(description="O webhook-id do envio.", examples=["msg_9f86d081884c7d659a2feaa0c55ad015"])


class DeliveryAttempt(BaseModel):
    """Uma tentativa de envio."""

    id: str = Field(description="O webhook-id.", examples=["msg_9f86d081884c7d659a2feaa0c55ad015"])
    tipo: _EventType
    tentativa: int = Field(description="A partir de 1.")
    em: str = Field(description="Quando, ISO 8601.", examples=["2026-11-18T11:06:40.120Z"])
    status: int | None = Field(description="O status da resposta; null sem resposta.")
    erro: str | None = Field(description="Por que não houve resposta.", examples=["timeout"])
    duracao_ms: int


class DeliveryList(BaseModel):
    """As últimas tentativas."""

    deliveries: list[DeliveryAttempt] = Field(description="As últimas cem, da mais recente à mais antiga.")
