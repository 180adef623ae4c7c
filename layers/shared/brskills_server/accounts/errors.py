"""What can keep a caller out, or us from serving one.

AccessError
├── InvalidKey           no such key, or revoked, or its overlap has ended
│   └── InvalidToken     no such access token, or its hour is over, or its grant or key has ended
├── DemoKey              the public key may not be rotated, revoked, billed or granted by
├── QuotaExceeded        the month has no room for so many calls (carries the count)
├── UncountedLimit       too much work that is not counted (carries the wait)
├── IdempotencyKeyReused another request came under the same key of the caller's
├── TooManyKeys          the account has as many active keys as it may
├── TooManyGrants        the account has as many grants as it may
├── SignupClosed         nobody gets a key by themselves (carries whom to ask)
├── SignupLimit          too many keys for one address or e-mail (carries the limit and the wait)
├── StoreUnavailable     the store did not answer (carries why, for the log)
│   └── UnconfirmedRotation  and so a key was replaced or not (carries the new one)
├── GatewayUnavailable   API Gateway did not do what we asked (carries why, for the log)
├── BillingUnavailable   the payment processor did not do what we asked (carries why, for the log)
│   └── NothingSold      there is no payment processor
├── InvalidSignature     an event that the processor did not sign, or not lately
├── NotAnEvent           signed, and yet no event of the processor's
└── UnknownCustomer      the processor no longer has this customer
"""

from brskills_server.metering.quota import Quota

__all__ = [
    "AccessError",
    "BillingUnavailable",
    "DemoKey",
    "GatewayUnavailable",
    "IdempotencyKeyReused",
    "InvalidKey",
    "InvalidSignature",
    "InvalidToken",
    "NotAnEvent",
    "NothingSold",
    "QuotaExceeded",
    "SignupClosed",
    "SignupLimit",
    "StoreUnavailable",
    "TooManyGrants",
    "TooManyKeys",
    "UnconfirmedRotation",
    "UncountedLimit",
    "UnknownCustomer",
]


class AccessError(Exception):
    """Base of what this package raises by intent."""


class InvalidKey(AccessError):
    """The key is not an active key of any account."""


class InvalidToken(InvalidKey):
    """The access token gives no access, or no longer; whoever has a refresh token may have a new one."""


class DemoKey(AccessError):
    """The demo key belongs to everybody, so nobody may change it."""


class QuotaExceeded(AccessError):
    """The month has no room for ``calls`` more; ``quota`` says of how many there are and until when."""

    def __init__(self, quota: Quota, calls: int = 1) -> None:
        super().__init__(f"{quota.remaining} of {quota.limit} calls left")
        self.quota = quota
        self.calls = calls


class UncountedLimit(AccessError):
    """The allowance for work that is not counted is used up; ``retry_after`` is in seconds, at least 1."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"try again in {retry_after} s")
        self.retry_after = max(1, retry_after)


class IdempotencyKeyReused(AccessError):
    """Another request was made under this ``Idempotency-Key``."""


class TooManyKeys(AccessError):
    """No further key until an overlap ends; ``most`` is how many an account may have."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} active keys")
        self.most = most


class TooManyGrants(AccessError):
    """No further grant until one is ended; ``most`` is how many an account may have."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} grants")
        self.most = most


class SignupClosed(AccessError):
    """The operator alone gives keys. ``support_contact``: as in ``brskills_server.runtime.settings.Settings``, may be empty."""

    def __init__(self, support_contact: str) -> None:
        super().__init__("sign-ups are closed")
        self.support_contact = support_contact


class SignupLimit(AccessError):
    """No further key yet: ``most`` were given in ``days`` days. ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int, most: int, days: int) -> None:
        super().__init__(f"try again in {retry_after} s")
        self.retry_after = retry_after
        self.most = most
        self.days = days


class StoreUnavailable(AccessError):
    """No answer, or not in time: what was asked may or may not have happened."""


class UnconfirmedRotation(StoreUnavailable):
    """The store did not confirm a rotation: of the old key and ``api_key`` at least one is active."""

    def __init__(self, api_key: str) -> None:
        super().__init__("a rotation was not confirmed")  # the message is logged, the key is not
        self.api_key = api_key


class GatewayUnavailable(AccessError):
    """API Gateway's own API: what was asked may or may not have happened."""


class BillingUnavailable(AccessError):
    """The payment processor cannot be used; the message quotes nothing that was sent."""


class NothingSold(BillingUnavailable):
    """This deployment has no payment processor."""


class InvalidSignature(AccessError):
    """An event whose signature does not prove that the processor sent it."""


class NotAnEvent(AccessError):
    """A signed body that is no event as the processor documents it, or is about nothing that it has."""


class UnknownCustomer(AccessError):
    """A customer deleted at the processor."""
