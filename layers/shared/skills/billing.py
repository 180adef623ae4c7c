"""What an account's owner may do about paying, and what follows from the processor's events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from access import BillingUnavailable, UnknownCustomer
from web.body import read_model
from web.problem import Problem

if TYPE_CHECKING:
    from access import Account, Accounts, PaymentProcessor, Session

__all__ = ["BillingPage", "BillingRequest", "checkout", "portal"]


class BillingRequest(BaseModel):
    """Nada é preciso: a conta é a da chave."""

    model_config = ConfigDict(extra="forbid")


class BillingPage(BaseModel):
    """Uma página do processador de pagamentos."""

    url: str = Field(description="Abra no navegador; vale por pouco tempo e só para esta conta.")


def checkout(
    content: dict[str, Any], session: Session, accounts: Accounts, processor: PaymentProcessor | None
) -> BillingPage:
    """A page to subscribe to Pro at.

    Raises ``InvalidFields``, ``DemoKey``, ``InvalidKey``, ``BillingUnavailable`` or ``Problem``
    ``already_subscribed``.
    """
    account, processor = _begin(content, session, accounts, processor)
    billing = account.billing
    if account.plan != "free" or any(kept.stands for kept in billing.subscriptions.values()):
        raise Problem("already_subscribed")
    return BillingPage(url=processor.checkout(account.id, billing.customer, billing.version))


def portal(
    content: dict[str, Any], session: Session, accounts: Accounts, processor: PaymentProcessor | None
) -> BillingPage:
    """A page to change, pay or cancel a subscription at.

    Raises as :func:`checkout` does, and ``Problem`` ``not_found`` for an account that never subscribed.
    """
    account, processor = _begin(content, session, accounts, processor)
    if account.billing.customer is None:
        raise Problem("not_found", wording=":subscription")
    try:
        return BillingPage(url=processor.portal(account.billing.customer))
    except UnknownCustomer:
        raise Problem("not_found", wording=":subscription") from None


def _begin(
    content: dict[str, Any], session: Session, accounts: Accounts, processor: PaymentProcessor | None
) -> tuple[Account, PaymentProcessor]:
    read_model(BillingRequest, content)
    account = accounts.own(session.caller)
    session.mark_checked()
    if processor is None:
        raise BillingUnavailable("not configured")
    return account, processor
