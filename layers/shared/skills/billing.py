"""What an account's owner may do about paying, and what follows from the processor's events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from access import billing_of
from billing.errors import BillingUnavailable, UnknownCustomer
from web.body import read_model
from web.problem import Problem

if TYPE_CHECKING:
    from access import Accounts, Session
    from access.subscriptions import Billing

__all__ = ["BillingPage", "BillingRequest", "checkout", "portal"]


class Pages(Protocol):
    """The processor as seen from here; see ``billing.processor.Processor``."""

    def checkout(self, account: str, customer: str | None, version: int) -> str:
        """The address of a page to subscribe at."""

    def portal(self, customer: str) -> str:
        """The address of a page to manage subscriptions at; raises ``UnknownCustomer``."""


class BillingRequest(BaseModel):
    """Nada é preciso: a conta é a da chave."""

    model_config = ConfigDict(extra="forbid")


class BillingPage(BaseModel):
    """Uma página do processador de pagamentos."""

    url: str = Field(description="Abra no navegador; vale por pouco tempo e só para esta conta.")


def checkout(
    content: dict[str, Any], session: Session, accounts: Accounts, pages: Pages | None
) -> BillingPage:
    """A page to subscribe to Pro at.

    Raises ``InvalidFields``, ``DemoKey``, ``InvalidKey``, ``BillingUnavailable`` or ``Problem``
    ``already_subscribed``.
    """
    billing, pages = _begin(content, session, accounts, pages)
    if billing.plan != "free" or any(kept.stands for kept in billing.subscriptions.values()):
        raise Problem("already_subscribed")
    return BillingPage(url=pages.checkout(session.caller.account, billing.customer, billing.version))


def portal(content: dict[str, Any], session: Session, accounts: Accounts, pages: Pages | None) -> BillingPage:
    """A page to change, pay or cancel a subscription at.

    Raises as :func:`checkout` does, and ``Problem`` ``not_found`` for an account that never subscribed.
    """
    billing, pages = _begin(content, session, accounts, pages)
    if billing.customer is None:
        raise Problem("not_found", wording=":subscription")
    try:
        return BillingPage(url=pages.portal(billing.customer))
    except UnknownCustomer:
        raise Problem("not_found", wording=":subscription") from None


def _begin(
    content: dict[str, Any], session: Session, accounts: Accounts, pages: Pages | None
) -> tuple[Billing, Pages]:
    read_model(BillingRequest, content)
    item = accounts.own(session.caller)
    session.close()
    if pages is None:
        raise BillingUnavailable("not configured")
    return billing_of(item, session.caller.account), pages
