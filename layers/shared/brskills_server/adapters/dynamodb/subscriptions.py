"""Events of the payment processor, and the billing of accounts."""

from brskills_server.accounts.account import Account
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT, EVENT, billing_fields
from brskills_server.adapters.dynamodb.table import DynamoStore
from brskills_server.adapters.dynamodb.values import assign, change

_FIRST_CHANGE = "#plan = :plan_before AND attribute_not_exists(billing_version)"
_LATER_CHANGE = "#plan = :plan_before AND billing_version = :version_before"


class DynamoSubscriptions(DynamoStore):
    """``SubscriptionStore``."""

    def has_event(self, event: str) -> bool:
        return self._table.get(EVENT + event) is not None

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        """Transaction: UpdateItem of the account, PutItem of the event."""
        plan = {"plan": after.plan, "monthly_limit": after.monthly_limit} if after.plan != before.plan else {}
        update, names, values = assign(plan | billing_fields(after.billing))
        names["plan"], values["plan_before"] = "plan", before.plan
        condition = _FIRST_CHANGE
        if before.billing.version:
            condition, values["version_before"] = _LATER_CHANGE, before.billing.version
        created = {"pk": EVENT + event, "expires_at": expires_at}
        try:
            self._table.update_and_create(
                ACCOUNT + before.id, change(update, names, values, condition), created
            )
        except ConditionFailed:
            return False
        return True
