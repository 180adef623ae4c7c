"""Features of a deployment and texts that depend on them, by the standard library alone (decision 18)."""

import re
from typing import NamedTuple

_PART = re.compile(
    r"\{\{#(signups|demo|sold|mail|help_page|contact|availability)\}\}(.*?)(?:\{\{else\}\}(.*?))?\{\{/\1\}\}",
    re.DOTALL,
)


class Features(NamedTuple):
    """Enabled features: self-service sign-up, the demo key, Pro for sale; and what plans may promise:
    an e-mail address, a help page, a page on availability.
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
        """Return the features of these settings: a limit of zero or an empty address disables one."""
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
        """Return whether the operator can be contacted, by e-mail or by a help page."""
        return self.mail or self.help_page

    def render(self, text: str) -> str:
        """Return a text with one branch of each ``{{#signups}}…{{else}}…{{/signups}}``; none is nested."""
        return _PART.sub(lambda part: (part[2] if getattr(self, part[1]) else part[3]) or "", text)
