"""The plans: the one place where limits, rates and prices stand.

``template.yaml`` repeats the rates in its usage plans, and a test holds it to this table.
"""

from dataclasses import dataclass

__all__ = ["PLANS", "SPENT_RATE", "Plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a plan allows. ``monthly_limit`` ``None`` is unlimited; ``rate`` and ``burst`` per second.

    ``free_absences``: unconfirmed absences of a month that are not counted; ``None`` is all of them.
    """

    id: str
    price_usd: int | None
    monthly_limit: int | None
    rate: int
    burst: int
    free_absences: int | None
    includes_pt: tuple[str, ...]
    includes_en: tuple[str, ...]


PLANS = {
    plan.id: plan
    for plan in (
        Plan(
            "free", 0, 100, 20, 40, 50,
            ("Pix e CNPJ", "suporte da comunidade"),
            ("Pix and CNPJ", "community support"),
        ),
        Plan(
            "pro", 49, 10_000, 200, 400, 5_000,
            ("todas as habilidades", "suporte por e-mail", "99,9 % de disponibilidade"),
            ("all skills", "e-mail support", "99.9 % availability"),
        ),
        Plan(
            "enterprise", None, None, 500, 1000, None,
            ("habilidades sob medida", "suporte dedicado", "instalação própria"),
            ("custom skills", "dedicated support", "on-premise"),
        ),
        Plan(
            "demo", 0, 20, 5, 10, 50,
            ("uma chave pública, com limite por endereço",),
            ("one public key, limited per address",),
        ),
    )
}  # fmt: skip

SPENT_RATE = (1, 2)
"""Rate and burst of the usage plan that takes accounts whose month is used up."""
