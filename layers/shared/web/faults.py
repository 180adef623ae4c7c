"""Which problem an error of the ledger, the store or the payment processor is to a caller."""

from __future__ import annotations

from access import (
    BillingUnavailable,
    DemoKey,
    InvalidKey,
    InvalidSignature,
    QuotaExceeded,
    SignupLimit,
    StoreUnavailable,
    TooManyKeys,
)
from web.problem import FieldFault, InvalidFields, Problem
from web.rates import rate_headers

__all__ = ["as_problem"]


def as_problem(error: Exception) -> Problem | None:
    """The problem to answer with, or ``None`` for an error nobody foresaw."""
    match error:
        case Problem():
            return error
        case InvalidKey():
            return Problem("invalid_api_key")
        case DemoKey():
            return Problem("demo_key")
        case QuotaExceeded(quota=quota):
            return Problem(
                "quota_exceeded",
                params={
                    "limit": quota.limit,
                    "month": quota.month,
                    "resets_at": quota.resets_at.isoformat(),
                },
                headers={**rate_headers(quota), "Retry-After": str(quota.seconds_left)},
            )
        case SignupLimit(retry_after=seconds):
            return Problem(
                "signup_limit", params={"retry_after": seconds}, headers={"Retry-After": str(seconds)}
            )
        case TooManyKeys(most=most):
            return InvalidFields([FieldFault("sobreposicao_segundos", "too_many_keys", {"limit": most})])
        case StoreUnavailable():
            return Problem("store_unavailable", headers={"Retry-After": "2"})
        case BillingUnavailable():
            return Problem("billing_unavailable", headers={"Retry-After": "60"})
        case InvalidSignature():
            return Problem("invalid_signature")
    return None
