"""The metrics of CloudWatch, each of which costs money: a bounded selection of sums over labels.

A metric is named by its figure and the values of the labels that are kept, such as
``calls_create_pix_code_counted``; other labels are summed up. Decision 33 has the reasons.
"""

from itertools import product
from typing import NamedTuple

from brskills_server.telemetry import figures
from brskills_server.telemetry.figures import Figure

OTHER = "other"
"""Label of all values that have no metric of their own."""


class _Kept(NamedTuple):
    """A label that is kept, and its values that have a metric each."""

    label: str
    values: tuple[str, ...]


_CALLS = ("counted", "free", "refused", "failed")
_WRITES = ("done", "refused", "failed")

_METRICS: dict[Figure, tuple[_Kept, ...]] = {
    figures.CALLS: (
        _Kept(
            "skill",
            (
                "create_pix_code",
                "create_pix_codes",
                "look_up_company",
                "look_up_companies",
                "check_pix_payee",
                OTHER,
            ),
        ),
        _Kept("outcome", _CALLS),
    ),
    figures.ANSWERS: (_Kept("outcome", ("answered", "failed")),),
    figures.REFUSALS: (
        _Kept(
            "code",
            (
                "internal_error",
                "store_unavailable",
                "sources_unavailable",
                "billing_unavailable",
                "invalid_signature",
                "signup_limit",
                "quota_exceeded",
                OTHER,
            ),
        ),
    ),
    figures.BY_DESIGN: (),
    figures.PROVIDERS: (_Kept("outcome", ("found", "missing", "failed", "rejected", "skipped", "dropped")),),
    figures.PROVIDER_SECONDS: (
        _Kept(
            "provider",
            ("receita", "opencnpj", "brasilapi", "minhareceita", "cnpja", "cnpjws", "receitaws"),
        ),
    ),
    figures.COMPANIES: (_Kept("served", ("live", "stored", "stale", "unavailable", OTHER)),),
    figures.COMPANY_AGE: (),
    figures.LEDGER: (
        _Kept("operation", ("reserve", "release", "release_absence")),
        _Kept("outcome", ("done", OTHER)),
    ),
    figures.ACCOUNTS: (_Kept("operation", ("open",)), _Kept("outcome", _WRITES)),
    figures.GRANTS: (),
    figures.PAYMENTS: (
        _Kept("outcome", ("recorded_double", "recorded_paid_back", "unknown_account", OTHER)),
    ),
    figures.STORE_FAILURES: (_Kept("store", ("access", "companies")),),
    figures.JOBS: (_Kept("job", ("gateway_keys", "probe")), _Kept("outcome", ("done", "failed"))),
}


def _stem(figure: Figure) -> str:
    return figure.name.removeprefix("brskills_").removesuffix("_total")


def full_name(figure: Figure, labels: tuple[str, ...]) -> str:
    """Return the name of a figure's count with all of its labels."""
    return "_".join((_stem(figure), *labels))


_RULES = {
    figure.name: tuple((figure.labels.index(kept.label), frozenset(kept.values)) for kept in rule)
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
    for values in product(*(kept.values for kept in rule))
)
"""Every metric that can be written."""
