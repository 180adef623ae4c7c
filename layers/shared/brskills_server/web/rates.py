"""What was counted, in headers: the month by the classic three and the IETF's RateLimit (draft 11)."""

from brskills_server.metering.quota import Quota

__all__ = ["rate_headers", "replay_header"]


def rate_headers(quota: Quota | None) -> dict[str, str]:
    """Headers of a counted answer; none where nothing was counted or the plan is unlimited."""
    if quota is None or quota.limit is None:
        return {}
    return {
        "X-RateLimit-Limit": str(quota.limit),
        "X-RateLimit-Remaining": str(quota.remaining),
        "X-RateLimit-Reset": str(quota.reset_seconds),
        "RateLimit-Policy": f'"month";q={quota.limit}',
        "RateLimit": f'"month";r={quota.remaining};t={quota.seconds_left}',
    }


def replay_header(replayed: bool) -> dict[str, str]:
    """The header of an answer that was counted when its request came before."""
    return {"Idempotency-Replayed": "true"} if replayed else {}
