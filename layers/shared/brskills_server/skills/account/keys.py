"""Use cases for keys: sign up, rotate, revoke."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from brskills_server.accounts.accounts import Accounts, Issued
from brskills_server.accounts.email_address import is_plain_address
from brskills_server.accounts.errors import TooManyKeys
from brskills_server.accounts.signup import ClosedSignups, Signups
from brskills_server.metering.session import Session
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import issue
from brskills_server.skills.validation import WholeNumber, check_request

MAX_OVERLAP = 7 * 86_400


class SignupRequest(BaseModel, extra="forbid"):
    """Criação de uma chave; tudo é opcional."""

    email: str | None = Field(
        None,
        max_length=254,
        description="Limita quantas chaves um mesmo e-mail recebe{{#contact}} e serve para recuperar a conta "
        "se a chave for perdida: escreva a info.contact{{/contact}}. Não é verificado e não tem outro uso.",
        examples=["dev@exemplo.com.br"],
    )


class RotateRequest(BaseModel, extra="forbid"):
    """Rotação da chave."""

    sobreposicao_segundos: Annotated[int, WholeNumber] = Field(
        0,
        ge=0,
        le=MAX_OVERLAP,
        description="Por quanto tempo a chave antiga continua válida.",
        examples=[3600],
    )


class RevokeRequest(BaseModel, extra="forbid"):
    """Nenhum campo é necessário: a chave do cabeçalho é revogada."""


class IssuedKey(BaseModel):
    """Uma chave nova."""

    api_key: str = Field(description="A chave; exibida uma única vez.")
    id: str = Field(description="Identificador da conta, para contato com o operador deste serviço.")
    plano: str
    limite_mensal: int | None = Field(description="Chamadas por mês; null se não há limite.")


def sign_up(
    content: dict[str, Any], network: str, signups: Signups | ClosedSignups, accounts: Accounts
) -> IssuedKey:
    """Open a free account with a key. Raise ``InvalidRequest``, ``SignupClosed`` or ``SignupLimit``."""
    request = check_request(SignupRequest, content)
    if request.email is not None and not is_plain_address(request.email):
        raise InvalidRequest(issue("email", "invalid_email"))
    signups.take(network, request.email)
    return _as_answer(accounts.open("free", request.email))


def rotate(content: dict[str, Any], session: Session, accounts: Accounts) -> IssuedKey:
    """Issue a further key of the account. Raise ``InvalidRequest``, ``DemoKey`` or ``InvalidKey``."""
    request = check_request(RotateRequest, content)
    try:
        return _as_answer(accounts.rotate(session.caller, request.sobreposicao_segundos))
    except TooManyKeys as refused:
        raise InvalidRequest(issue("sobreposicao_segundos", "too_many_keys", limit=refused.most)) from None


def revoke(content: dict[str, Any], session: Session, accounts: Accounts) -> None:
    """End the key of the session. Raise ``InvalidRequest``, ``DemoKey`` or ``InvalidKey``."""
    check_request(RevokeRequest, content)
    accounts.revoke(session.caller)


def _as_answer(issued: Issued) -> IssuedKey:
    return IssuedKey(
        api_key=issued.api_key,
        id=issued.account,
        plano=issued.plan.id,
        limite_mensal=issued.plan.monthly_limit,
    )
