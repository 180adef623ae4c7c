"""Whether keys are given to whoever asks, and texts that are true either way.

The standard library alone: the page loads it too.
"""

import re
from typing import NamedTuple

__all__ = ["Offers"]

_PART = re.compile(r"\{\{#(signups|demo)\}\}(.*?)(?:\{\{else\}\}(.*?))?\{\{/\1\}\}", re.DOTALL)


class Offers(NamedTuple):
    """What a deployment gives: keys at ``POST /api/v1/keys``, and calls with the public demo key."""

    signups: bool
    demo: bool

    @classmethod
    def of(cls, signups_per_day: int, signups_per_month: int, demo_monthly_limit: int) -> "Offers":
        """By the limits: what may be had no times is not given."""
        return cls(signups_per_day > 0 and signups_per_month > 0, demo_monthly_limit > 0)

    def choose(self, text: str) -> str:
        """The text with one side of each ``{{#signups}}…{{else}}…{{/signups}}``, and the same of ``demo``.

        The other side may be missing.
        """
        return _PART.sub(lambda part: (part[2] if getattr(self, part[1]) else part[3]) or "", text)
