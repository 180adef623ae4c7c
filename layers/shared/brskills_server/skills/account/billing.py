"""Billing use cases of an account's owner: subscribe, and manage the subscription."""

from typing import Any, NamedTuple

from pydantic import BaseModel, Field

from brskills_server.accounts.account import Account
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.billing import PaymentProcessor
from brskills_server.accounts.errors import NothingSold, UnknownCustomer
from brskills_server.metering.session import Session
from brskills_server.skills.errors import ApiError
from brskills_server.skills.validation import check_request


class BillingRequest(BaseModel, extra="forbid"):
    """Nenhum campo é necessário: a conta é a da chave."""


class BillingPage(BaseModel):
    """Uma página do processador de pagamentos."""

    url: str = Field(description="Abra no navegador; vale por pouco tempo e só para esta conta.")


class BillingPages(NamedTuple):
    """Pages of the payment processor; nothing is sold without one."""

    accounts: Accounts
    processor: PaymentProcessor | None

    def checkout(self, content: dict[str, Any], session: Session, page: str) -> BillingPage:
        """Return a page to subscribe to Pro; it leads back to ``page``.

        Raise ``InvalidRequest``, ``DemoKey``, ``InvalidKey``, ``BillingUnavailable`` or ``ApiError``
        ``already_subscribed``, also for a subscription that grants nothing now but could again.
        """
        account, processor = self._begin(content, session)
        if account.plan != "free":
            raise ApiError("already_subscribed")
        if any(kept.prevents_another for kept in account.billing.subscriptions.values()):
            raise ApiError("already_subscribed", wording=":in_arrears")
        url = processor.checkout(account.id, account.billing.customer, account.billing.version, page)
        return BillingPage(url=url)

    def portal(self, content: dict[str, Any], session: Session, page: str) -> BillingPage:
        """Return a page to change, pay or cancel a subscription.

        Raise as :meth:`checkout`, and ``ApiError`` ``not_found`` for an account that never subscribed.
        """
        account, processor = self._begin(content, session)
        if account.billing.customer is None:
            raise ApiError("not_found", wording=":subscription")
        try:
            return BillingPage(url=processor.portal(account.billing.customer, page))
        except UnknownCustomer:
            raise ApiError("not_found", wording=":subscription") from None

    def _begin(self, content: dict[str, Any], session: Session) -> tuple[Account, PaymentProcessor]:
        check_request(BillingRequest, content)
        account = self.accounts.own(session.caller)
        session.mark_checked()
        if self.processor is None:
            raise NothingSold("not configured")
        return account, self.processor
