"""What can keep a caller out.

AccessError
├── InvalidKey       no such key, or revoked, or its overlap has ended
├── DemoKey          the public key may not be rotated, revoked or billed
├── QuotaExceeded    the month's calls are used up (carries the count)
├── TooManyKeys      the account holds as many living keys as it may
└── SignupLimit      too many keys for one address or e-mail today (carries the wait)
"""

from access.quota import Quota

__all__ = ["AccessError", "DemoKey", "InvalidKey", "QuotaExceeded", "SignupLimit", "TooManyKeys"]


class AccessError(Exception):
    """Base of what this package raises by intent."""


class InvalidKey(AccessError):
    """The key opens nothing."""


class DemoKey(AccessError):
    """The demo key belongs to everybody, so nobody may change it."""


class QuotaExceeded(AccessError):
    """The month is used up; ``quota`` says of how many calls and until when."""

    def __init__(self, quota: Quota) -> None:
        super().__init__(f"{quota.limit} calls used")
        self.quota = quota


class TooManyKeys(AccessError):
    """No further key until an overlap ends; ``most`` is how many an account may hold."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} living keys")
        self.most = most


class SignupLimit(AccessError):
    """No further key today; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"try again in {retry_after} s")
        self.retry_after = retry_after
