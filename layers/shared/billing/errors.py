"""What can go wrong with the payment processor.

BillingError
├── BillingUnavailable   not configured, out of reach, or refusing what we ask (carries why, for the log)
├── InvalidSignature     an event that the processor did not sign, or not lately
└── UnknownCustomer      the processor no longer has this customer
"""

__all__ = ["BillingError", "BillingUnavailable", "InvalidSignature", "UnknownCustomer"]


class BillingError(Exception):
    """Base of what this package raises by intent."""


class BillingUnavailable(BillingError):
    """No answer to be had; the message is for the operator and quotes nothing that was sent."""


class InvalidSignature(BillingError):
    """The event proves nothing."""


class UnknownCustomer(BillingError):
    """Deleted at the processor."""
