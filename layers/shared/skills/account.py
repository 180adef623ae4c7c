"""What an account's owner may do with it: get a key, see the month, rotate, revoke."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from web.body import Whole, read_model
from web.problem import FieldFault, InvalidFields

if TYPE_CHECKING:
    from access import Accounts, Issued, Ledger, Session, Signups

__all__ = [
    "IssuedKey",
    "MonthOfCalls",
    "RevokeRequest",
    "RotateRequest",
    "SignupRequest",
    "Usage",
    "revoke",
    "rotate",
    "sign_up",
    "usage",
]

MAX_OVERLAP = 7 * 86_400
_EMAIL = re.compile(r"[^@\s\x00-\x1f]{1,64}@[^@\s\x00-\x1f.]+(\.[^@\s\x00-\x1f.]+)+\Z")


class SignupRequest(BaseModel):
    """Pedido de uma chave; tudo é opcional."""

    model_config = ConfigDict(extra="forbid")

    email: str | None = Field(
        None,
        max_length=254,
        description="Para recuperar a conta se a chave se perder. Não é verificado nem usado para mais nada.",
        examples=["dev@exemplo.com.br"],
    )


class RotateRequest(BaseModel):
    """Pedido de troca da chave."""

    model_config = ConfigDict(extra="forbid")

    sobreposicao_segundos: Annotated[int, Whole] = Field(
        0, ge=0, le=MAX_OVERLAP, description="Por quanto tempo a chave antiga ainda vale.", examples=[3600]
    )


class RevokeRequest(BaseModel):
    """Nada é preciso: acaba a chave que veio no cabeçalho."""

    model_config = ConfigDict(extra="forbid")


class IssuedKey(BaseModel):
    """Uma chave nova."""

    api_key: str = Field(description="A chave; só aparece aqui, uma vez.")
    id: str = Field(description="Identificador da conta, para falar com o suporte.")
    plano: str
    limite_mensal: int | None = Field(description="Chamadas por mês; null é sem limite.")


class MonthOfCalls(BaseModel):
    """As chamadas de um mês passado."""

    mes: str
    chamadas: int


class Usage(BaseModel):
    """O mês da conta."""

    plano: str
    mes: str = Field(description="Mês corrente em America/Sao_Paulo.", examples=["2026-11"])
    chamadas: int
    limite: int | None
    restantes: int | None
    reinicia_em: str = Field(description="Quando a contagem recomeça, ISO 8601.")
    historico: list[MonthOfCalls] = Field(description="Meses anteriores, até 13.")


def sign_up(content: dict[str, Any], network: str, signups: Signups, accounts: Accounts) -> IssuedKey:
    """A free account with its key; raises ``InvalidFields`` or ``SignupLimit``."""
    request = read_model(SignupRequest, content)
    if request.email is not None and not _EMAIL.match(request.email):
        raise InvalidFields([FieldFault("email", "invalid_email")])
    signups.take(network, request.email)
    return _as_answer(accounts.open("free", request.email))


def rotate(content: dict[str, Any], session: Session, accounts: Accounts) -> IssuedKey:
    """A further key of the account; raises ``InvalidFields``, ``DemoKey`` or ``InvalidKey``."""
    request = read_model(RotateRequest, content)
    return _as_answer(accounts.rotate(session.caller, request.sobreposicao_segundos))


def revoke(content: dict[str, Any], session: Session, accounts: Accounts) -> None:
    """End the key of the session; raises ``InvalidFields``, ``DemoKey`` or ``InvalidKey``."""
    read_model(RevokeRequest, content)
    accounts.revoke(session.caller)


def usage(session: Session, ledger: Ledger) -> Usage:
    """How the month stands."""
    quota, history = ledger.usage(session.caller)
    return Usage(
        plano=quota.plan,
        mes=quota.month,
        chamadas=quota.calls,
        limite=quota.limit,
        restantes=quota.remaining,
        reinicia_em=quota.resets_at.isoformat(),
        historico=[MonthOfCalls(mes=month, chamadas=calls) for month, calls in history.items()],
    )


def _as_answer(issued: Issued) -> IssuedKey:
    return IssuedKey(
        api_key=issued.api_key,
        id=issued.account,
        plano=issued.plan.id,
        limite_mensal=issued.plan.monthly_limit,
    )
