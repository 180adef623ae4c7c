"""What a deployment gives and can vouch for, and texts that are true either way.

The one place that decides it, for the API and the page. The standard library alone: the page loads it too.
"""

import re
from typing import NamedTuple

__all__ = ["Features"]

_PART = re.compile(
    r"\{\{#(signups|demo|sold|mail|help_page|contact|availability)\}\}(.*?)(?:\{\{else\}\}(.*?))?\{\{/\1\}\}",
    re.DOTALL,
)


class Features(NamedTuple):
    """What there is: keys at ``POST /api/v1/keys``, and calls with the public demo key; Pro for sale.

    And what can be kept of what plans promise: an address that people may write to, a page where they get
    help, a text of what is promised on availability.
    """

    signups: bool
    demo: bool
    sold: bool = False
    mail: bool = False
    help_page: bool = False
    availability: bool = False

    @classmethod
    def of(
        cls,
        signups_per_day: int,
        signups_per_month: int,
        demo_monthly_limit: int,
        *,
        price: str = "",
        contact_email: str = "",
        support_url: str = "",
        sla_url: str = "",
    ) -> "Features":
        """By the settings: what may be had no times is not given, and what is not named is not promised."""
        return cls(
            signups=signups_per_day > 0 and signups_per_month > 0,
            demo=demo_monthly_limit > 0,
            sold=bool(price),
            mail=bool(contact_email),
            help_page=bool(support_url),
            availability=bool(sla_url),
        )

    @property
    def contact(self) -> bool:
        """Whether whoever operates this can be reached, by mail or by their page."""
        return self.mail or self.help_page

    def choose(self, text: str) -> str:
        """The text with one side of each ``{{#signups}}…{{else}}…{{/signups}}``, and so of the other names.

        The other side may be missing. A part stands in no other.
        """
        return _PART.sub(lambda part: (part[2] if getattr(self, part[1]) else part[3]) or "", text)
