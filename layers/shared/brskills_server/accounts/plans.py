"""The plans: limits, rates and prices.

``template.yaml`` repeats rates and throttle groups in its usage plans; a test compares them.
"""

from typing import NamedTuple


class Plan(NamedTuple):
    """What a plan allows. ``monthly_limit`` ``None`` is unlimited; ``rate`` and ``burst`` per second.

    ``throttle_groups``: gateway keys, each throttled separately, that the plan's accounts share.
    ``uncounted_a_minute``, ``uncounted_a_month``: units of uncounted work
    (``brskills_server.metering.uncounted``). ``free_absences``: unconfirmed absences of a month that are not
    counted; ``None`` is all of them. ``watches``: companies watched at once; ``None`` is any number.
    ``includes_pt``, ``includes_en``: templates for ``brskills_server.runtime.features``, which renders an
    empty text for what a deployment does not offer.
    """

    id: str
    price_usd: int | None
    monthly_limit: int | None
    rate: int
    burst: int
    free_absences: int | None
    uncounted_a_minute: int
    uncounted_a_month: int | None
    throttle_groups: int
    watches: int | None
    includes_pt: tuple[str, ...]
    includes_en: tuple[str, ...]

    @property
    def is_paid(self) -> bool:
        """Whether each of its accounts gets a dedicated gateway key."""
        return self.price_usd != 0


PLANS = {
    plan.id: plan
    for plan in (
        Plan(
            "free", price_usd=0, monthly_limit=100, rate=20, burst=40,
            free_absences=50, uncounted_a_minute=2_400, uncounted_a_month=100_000, throttle_groups=32,
            watches=5,
            includes_pt=(
                "Pix e CNPJ",
                "5 empresas monitoradas",
                "{{#help_page}}suporte da comunidade{{/help_page}}",
            ),
            includes_en=(
                "Pix and CNPJ",
                "5 watched companies",
                "{{#help_page}}community support{{/help_page}}",
            ),
        ),
        Plan(
            "pro", price_usd=49, monthly_limit=10_000, rate=200, burst=400,
            free_absences=5_000, uncounted_a_minute=12_000, uncounted_a_month=2_000_000, throttle_groups=8,
            watches=1_000,
            includes_pt=(
                "todas as APIs",
                "1.000 empresas monitoradas",
                "{{#contact}}suporte{{/contact}}{{#mail}} por e-mail{{/mail}}",
                "{{#availability}}99,9% de disponibilidade{{/availability}}",
            ),
            includes_en=(
                "all skills",
                "1,000 watched companies",
                "{{#mail}}e-mail {{/mail}}{{#contact}}support{{/contact}}",
                "{{#availability}}99.9% availability{{/availability}}",
            ),
        ),
        Plan(
            "enterprise", price_usd=None, monthly_limit=None, rate=500, burst=1000,
            free_absences=None, uncounted_a_minute=60_000, uncounted_a_month=None, throttle_groups=2,
            watches=None,
            includes_pt=(
                "APIs sob medida",
                "empresas monitoradas sem limite",
                "{{#contact}}suporte dedicado{{/contact}}",
                "instalação própria",
            ),
            includes_en=(
                "custom skills",
                "unlimited watched companies",
                "{{#contact}}dedicated support{{/contact}}",
                "on-premise",
            ),
        ),
        Plan(
            "demo", price_usd=0, monthly_limit=20, rate=5, burst=10,
            free_absences=50, uncounted_a_minute=1_200, uncounted_a_month=20_000, throttle_groups=1,
            watches=0,
            includes_pt=("uma chave pública, com limite por endereço IP",),
            includes_en=("one public key, limited per IP address",),
        ),
    )
}  # fmt: skip

QUOTA_EXHAUSTED_RATE, QUOTA_EXHAUSTED_GROUPS = (1, 2), 8
"""Rate and burst on a counted route, and gateway keys, of accounts with an exhausted quota."""
