"""The plans: the one place where limits, rates and prices stand.

``template.yaml`` repeats rates and lanes in its usage plans, and a test holds it to this table.
"""

from typing import NamedTuple

__all__ = ["PLANS", "QUOTA_EXHAUSTED_RATE", "SPENT_LANES", "Plan"]


class Plan(NamedTuple):
    """What a plan allows. ``monthly_limit`` ``None`` is unlimited; ``rate`` and ``burst`` per second.

    API Gateway throttles each of a plan's gateway keys by itself; ``lanes`` is how many its accounts share.
    ``uncounted_a_minute``, ``uncounted_a_month``: units of work that counts no call (``brskills_server.metering.uncounted``).
    ``free_absences``: unconfirmed absences of a month that are not counted; ``None`` is all of them.
    ``includes_pt`` and ``includes_en``: texts for ``brskills_server.runtime.features``, which tells what a deployment cannot
    keep by an empty one.
    """

    id: str
    price_usd: int | None
    monthly_limit: int | None
    rate: int
    burst: int
    free_absences: int | None
    uncounted_a_minute: int
    uncounted_a_month: int | None
    lanes: int
    includes_pt: tuple[str, ...]
    includes_en: tuple[str, ...]

    @property
    def is_paid(self) -> bool:
        """Whether each of its accounts gets a gateway key of its own."""
        return self.price_usd != 0


PLANS = {
    plan.id: plan
    for plan in (
        Plan(
            "free", price_usd=0, monthly_limit=100, rate=20, burst=40,
            free_absences=50, uncounted_a_minute=2_400, uncounted_a_month=100_000, lanes=32,
            includes_pt=("Pix e CNPJ", "{{#help_page}}suporte da comunidade{{/help_page}}"),
            includes_en=("Pix and CNPJ", "{{#help_page}}community support{{/help_page}}"),
        ),
        Plan(
            "pro", price_usd=49, monthly_limit=10_000, rate=200, burst=400,
            free_absences=5_000, uncounted_a_minute=12_000, uncounted_a_month=2_000_000, lanes=8,
            includes_pt=(
                "todas as habilidades",
                "{{#contact}}suporte{{/contact}}{{#mail}} por e-mail{{/mail}}",
                "{{#availability}}99,9% de disponibilidade{{/availability}}",
            ),
            includes_en=(
                "all skills",
                "{{#mail}}e-mail {{/mail}}{{#contact}}support{{/contact}}",
                "{{#availability}}99.9% availability{{/availability}}",
            ),
        ),
        Plan(
            "enterprise", price_usd=None, monthly_limit=None, rate=500, burst=1000,
            free_absences=None, uncounted_a_minute=60_000, uncounted_a_month=None, lanes=2,
            includes_pt=(
                "habilidades sob medida",
                "{{#contact}}suporte dedicado{{/contact}}",
                "instalação própria",
            ),
            includes_en=(
                "custom skills",
                "{{#contact}}dedicated support{{/contact}}",
                "on-premise",
            ),
        ),
        Plan(
            "demo", price_usd=0, monthly_limit=20, rate=5, burst=10,
            free_absences=50, uncounted_a_minute=1_200, uncounted_a_month=20_000, lanes=1,
            includes_pt=("uma chave pública, com limite por endereço",),
            includes_en=("one public key, limited per address",),
        ),
    )
}  # fmt: skip

QUOTA_EXHAUSTED_RATE, SPENT_LANES = (1, 2), 8
"""Rate and burst on a counted route, and gateway keys, of the plan for accounts whose month is used up."""
