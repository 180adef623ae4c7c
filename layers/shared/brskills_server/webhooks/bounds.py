"""How many attempts are made at the same time in one process."""

MOST, MOST_OF_ACCOUNT, MOST_TO_HOST = 256, 8, 16
"""In all, of one account, to one host and port."""

MOST_SLOW, MOST_SLOW_TO_HOST = MOST // 2, MOST_TO_HOST // 2
"""To webhooks that fail or answer late, which leave the others room, also at their own host."""


def bounds_of(account: str, host: str, *, is_slow: bool) -> dict[str, int]:
    """Return the bounds of an attempt, as ``outbound.places`` takes them."""
    bounds = {f"account {account}": MOST_OF_ACCOUNT, f"host {host}": MOST_TO_HOST}
    return bounds | {"slow": MOST_SLOW, f"slow {host}": MOST_SLOW_TO_HOST} if is_slow else bounds
