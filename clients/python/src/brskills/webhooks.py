"""The webhooks of an account and their deliveries, with the names of the API."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict


class WebhookFields(TypedDict, total=False):
    """What can be changed of a webhook. ``ativo`` as ``True`` enables a disabled one again."""

    url: str
    eventos: list[str]
    descricao: str | None
    ativo: bool


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address to which the service sends ``eventos``.

    ``motivo`` of one that is not ``ativo``: ``pedido``, ``gone`` (the receiver answered 410) or ``falhas``.
    """

    id: str
    url: str
    eventos: tuple[str, ...]
    descricao: str | None
    ativo: bool
    motivo: str | None
    criado_em: datetime


@dataclass(frozen=True, slots=True)
class IssuedWebhook(Webhook):
    """A webhook with a new secret, which is shown only once.

    ``segredo_anterior_ate``: until when deliveries are also signed with the secret before.
    """

    segredo: str = field(repr=False)  # no secret in logs
    segredo_anterior_ate: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeliveryAttempt:
    """An attempt to deliver an event of ``tipo``, its ``status`` or the ``erro`` in its place.

    ``id`` is the event's, the header ``webhook-id`` of each of its attempts.
    """

    id: str
    tipo: str
    tentativa: int
    em: datetime
    status: int | None
    erro: str | None
    duracao_ms: int
