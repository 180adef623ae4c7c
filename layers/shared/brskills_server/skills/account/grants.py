"""Use cases of an account's owner for grants: list them, and end one."""

from typing import Any

from pydantic import BaseModel, Field

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.grant import Grant
from brskills_server.accounts.grants import Grants
from brskills_server.metering.session import Session
from brskills_server.registry.dates import iso_instant
from brskills_server.skills.catalogue import SCOPES
from brskills_server.skills.errors import ApiError
from brskills_server.skills.validation import check_request


class EndRequest(BaseModel, extra="forbid"):
    """O acesso a revogar."""

    id: str = Field(
        max_length=64, description="O id, como em GET /api/v1/grants.", examples=["4Xq0ZbT7mPd2KcLs"]
    )


class ListedGrant(BaseModel):
    """Um acesso: o que um aplicativo pode fazer em nome da conta."""

    id: str
    programa: str = Field(description="O nome informado pelo aplicativo; não é verificado.")
    programa_id: str = Field(description="O client_id: registrado aqui, ou a URL do documento do aplicativo.")
    escopos: list[str] = Field(examples=[["pix", "cnpj"]])
    redirecionado_a: str = Field(description="A URL de redirecionamento que recebeu a permissão.")
    concedido_em: str = Field(examples=["2026-11-20T12:00:00Z"])
    usado_em: str = Field(description="Última chamada contada do aplicativo ou renovação do acesso.")
    expira_em: str = Field(description="Quando expira, se não for renovado.")
    chamadas: dict[str, int] = Field(
        description="Chamadas respondidas por mês; informativo, não é base de cobrança."
    )


class ListedGrants(BaseModel):
    """Os acessos em vigor, do mais novo ao mais antigo."""

    acessos: list[ListedGrant]


def list_grants(session: Session, grants: Grants, accounts: Accounts) -> ListedGrants:
    """Return the grants of the session's account. Raise ``DemoKey`` or ``InvalidKey``."""
    account = accounts.own(session.caller)
    return ListedGrants(acessos=[_listed(grant) for grant in grants.of(account)])


def end_grant(content: dict[str, Any], session: Session, grants: Grants, accounts: Accounts) -> None:
    """End a grant of the account, given by any of its keys.

    Raise ``InvalidRequest``, ``DemoKey``, ``InvalidKey``, or ``ApiError`` ``not_found``.
    """
    request = check_request(EndRequest, content)
    account = accounts.own(session.caller)
    if not grants.end(account.id, request.id):
        raise ApiError("not_found", wording=":grant")


def _listed(grant: Grant) -> ListedGrant:
    return ListedGrant(
        id=grant.id,
        programa=grant.client_name,
        programa_id=grant.client,
        escopos=[scope for scope in SCOPES if scope in grant.scopes],
        redirecionado_a=grant.redirect_uri,
        concedido_em=iso_instant(grant.created_at),
        usado_em=iso_instant(grant.used_at),
        expira_em=iso_instant(grant.expires_at),
        chamadas=dict(sorted(grant.calls.items())),
    )
