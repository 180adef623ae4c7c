"""Exceptions of accounts, keys, sign-ups, grants, billing and their stores."""


class AccessError(Exception):
    """Base of what accounts and metering raise by design."""


class InvalidKey(AccessError):
    """The key is not an active key of any account."""


class InvalidToken(InvalidKey):
    """The access token is not or no longer valid; a refresh token may give a new one."""


class DemoKey(AccessError):
    """The public demo key cannot be changed, billed or granted by."""


class TooManyKeys(AccessError):
    """No further key until an overlap ends; ``most``: active keys that an account may have."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} active keys")
        self.most = most


class TooManyGrants(AccessError):
    """No further grant until one ends."""


class SignupClosed(AccessError):
    """Only the operator issues keys. ``support_contact``: as in ``Settings``, may be empty."""

    def __init__(self, support_contact: str) -> None:
        super().__init__("sign-ups are closed")
        self.support_contact = support_contact


class SignupLimit(AccessError):
    """``most`` keys were issued in ``days`` days. ``retry_after``: seconds."""

    def __init__(self, retry_after: int, most: int, days: int) -> None:
        super().__init__(f"try again in {retry_after} s")
        self.retry_after = retry_after
        self.most = most
        self.days = days


class StoreUnavailable(AccessError):
    """The store did not confirm in time: the operation may or may not have happened."""


class UnconfirmedRotation(StoreUnavailable):
    """The store did not confirm a rotation: the old key, ``api_key`` or both are active."""

    def __init__(self, api_key: str) -> None:
        super().__init__("a rotation was not confirmed")  # the message is logged, the key is not
        self.api_key = api_key


class GatewayUnavailable(AccessError):
    """API Gateway's control plane did not confirm: the operation may or may not have happened."""


class BillingUnavailable(AccessError):
    """The payment processor cannot be used; the message quotes nothing that was sent."""


class NothingSold(BillingUnavailable):
    """This deployment has no payment processor."""


class InvalidSignature(AccessError):
    """The event's signature does not prove that the processor sent it."""


class NotAnEvent(AccessError):
    """A signed body that is not an event of the documented form, or names nothing that exists."""


class UnknownCustomer(AccessError):
    """The customer was deleted at the processor."""
