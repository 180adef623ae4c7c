"""The metrics of CloudWatch, which cost money: a bounded selection of sums over labels (decision 17)."""

from itertools import product

from brskills_server.telemetry import figures
from brskills_server.telemetry.figures import Figure

OTHER = "other"
"""Label of all values without a separate metric."""


_METRICS = {
    figures.CALLS: {
        "skill": "create_pix_code create_pix_codes look_up_company look_up_companies check_pix_payee "
        "company_history search_companies other",
        "outcome": "counted free refused failed",
    },
    figures.ANSWERS: {"outcome": "answered failed"},
    figures.REFUSALS: {
        "code": "internal_error store_unavailable sources_unavailable copy_unavailable "
        "billing_unavailable invalid_signature signup_limit quota_exceeded other"
    },
    figures.BY_DESIGN: {},
    figures.PROVIDERS: {"outcome": "found missing failed rejected skipped dropped"},
    figures.PROVIDER_SECONDS: {"provider": "receita opencnpj brasilapi minhareceita cnpja cnpjws receitaws"},
    figures.COMPANIES: {"served": "live stored stale unavailable other"},
    figures.COMPANY_AGE: {},
    figures.LEDGER: {"operation": "reserve release release_absence", "outcome": "done other"},
    figures.ACCOUNTS: {"operation": "open", "outcome": "done refused failed"},
    figures.GRANTS: {},
    figures.PAYMENTS: {"outcome": "recorded_double recorded_paid_back unknown_account other"},
    figures.STORE_FAILURES: {"store": "access companies"},
    figures.JOBS: {"job": "gateway_keys probe", "outcome": "done failed"},
}
"""By figure: the labels that are kept, and their values that have a metric each."""

IN_CLOUDWATCH = frozenset(figure.name for figure in _METRICS)
"""Names of the figures with metrics."""


def _stem(figure: Figure) -> str:
    return figure.name.removeprefix("brskills_").removesuffix("_total")


def full_name(figure: Figure, labels: tuple[str, ...]) -> str:
    """Return the name of a figure's count with all of its labels."""
    return "_".join((_stem(figure), *labels))


_RULES = {
    figure.name: tuple((figure.labels.index(label), frozenset(kept.split())) for label, kept in rule.items())
    for figure, rule in _METRICS.items()
}


def metric_of(figure: Figure, labels: tuple[str, ...]) -> str | None:
    """Return the metric for a figure with these labels; ``None`` if CloudWatch has none."""
    rule = _RULES.get(figure.name)
    if rule is None:
        return None
    kept = (labels[place] if labels[place] in values else OTHER for place, values in rule)
    return full_name(figure, tuple(kept))


NAMES = frozenset(
    full_name(figure, values)
    for figure, rule in _METRICS.items()
    for values in product(*(kept.split() for kept in rule.values()))
)
"""Every metric that can be written."""
