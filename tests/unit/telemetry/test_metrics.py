"""The metrics of CloudWatch: their names, and which labels they keep."""

from __future__ import annotations

import re
from itertools import product

from brskills_server.registry.providers import PROVIDER_IDS
from brskills_server.skills.catalogue import BATCHES, SKILLS
from brskills_server.telemetry.figures import (
    CALLS,
    COMPANY_AGE,
    FIGURES,
    LEDGER,
    PROVIDER_SECONDS,
    REFUSALS,
    REQUESTS,
)
from brskills_server.telemetry.metrics import NAMES, full_name, metric_of
from brskills_server.web.problem_table import PROBLEMS
from tests.for_each import for_each


def test_names_are_few_and_plain() -> None:
    assert len(NAMES) <= 84  # USD 0.30 each a month
    assert all(re.fullmatch("[a-z_]{1,60}", name) for name in NAMES)


def test_every_skill_that_counts_has_separate_metrics() -> None:
    counted = {name for name, skill in (SKILLS | BATCHES).items() if not skill.is_free}
    named = {
        name.removeprefix("calls_").removesuffix("_counted") for name in NAMES if name.endswith("_counted")
    }
    assert named == counted | {"other"}


def test_every_provider_has_its_duration() -> None:
    shown = {metric_of(PROVIDER_SECONDS, (provider, "found")) for provider in PROVIDER_IDS}
    assert shown == {f"provider_duration_seconds_{provider}" for provider in PROVIDER_IDS} <= NAMES


def test_codes_with_a_metric_are_codes() -> None:
    codes = {problem.partition(":")[0] for problem in PROBLEMS}
    named = {name.removeprefix("refusals_") for name in NAMES if name.startswith("refusals_")}
    assert named - codes == {"other"}


@for_each(
    ("figure", "labels", "metric"),
    [
        (CALLS, ("create_pix_code", "pro", "counted"), "calls_create_pix_code_counted"),
        (CALLS, ("look_up_bank", "enterprise", "failed"), "calls_other_failed"),
        (REFUSALS, ("invalid_fields",), "refusals_other"),
        (LEDGER, ("reserve", "failed"), "ledger_operations_reserve_other"),
        (COMPANY_AGE, ("stored",), "company_age_seconds"),
        (REQUESTS, ("GET", "/", "200"), None),
    ],
)
def test_labels_are_kept_or_summed_up(figure, labels: tuple[str, ...], metric: str | None) -> None:
    assert metric_of(figure, labels) == metric
    assert metric is None or metric in NAMES


def test_no_label_leads_to_an_unknown_metric() -> None:
    words = [
        "x",
        "other",
        "done",
        "counted",
        "access",
        "pro",
        "probe",
        "open",
        "reserve",
        "gateway_keys",
        "opencnpj",
    ]
    for figure in FIGURES:
        for labels in product(words, repeat=len(figure.labels)):
            metric = metric_of(figure, labels)
            assert metric is None or metric in NAMES or "_other" in metric
            assert full_name(figure, labels).endswith("_".join(labels))
