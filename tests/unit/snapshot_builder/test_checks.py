"""Limits of a month's rows, rejects and changes."""

from collections import Counter
from datetime import date

import pytest

from brskills_server.snapshot_builder.checks import (
    check_day,
    check_register,
    check_rejects,
    check_rows,
    check_sample,
)
from brskills_server.snapshot_builder.errors import SnapshotError

KINDS = ("Empresas", "Estabelecimentos", "Socios", "Simples")
SOUND = {"establishments": 1_000_000, "orphans": 0, "repeated": 0, "contradicted": 0, "unreadable": 0}


def counts(rows, rejected=0):
    return {kind: {"rows": rows, "rejected": rejected, "nameless": 0} for kind in KINDS}


def changes(gone):
    return {"establishments": {"gone": gone}}


PASSING = [
    (check_day, date(2026, 9, 12), None),
    (check_day, date(2026, 9, 12), date(2026, 9, 12)),
    (check_day, date(2026, 10, 10), date(2026, 9, 12)),
    (check_rejects, counts(100, 20)),
    (check_rejects, counts(1_000_000, 100)),
    (check_rows, counts(800_000), {}),
    (check_rows, counts(910_000), counts(1_000_000)),
    (check_rows, counts(1_240_000), counts(1_000_000)),
    (check_sample, Counter(compared=300, different=3)),
    *((check_register, SOUND | {name: 1_100}, None) for name in (*SOUND,)[1:]),
    (check_register, SOUND, changes(20_000)),
    (check_register, dict.fromkeys(SOUND, 100), changes(100)),  # of few, all may be odd
]
FAILING = [
    ("2026-08-15", check_day, date(2026, 8, 15), date(2026, 9, 12)),
    (r"^Empresas: 21 of 100 rows cannot be read\nEst.*\nSocios.*\nSimples.*", check_rejects, counts(100, 21)),
    ("Empresas: 101 of 1,000,000 rows cannot", check_rejects, counts(1_000_000, 101)),
    ("Empresas: there are no rows", check_rejects, counts(0)),
    ("Socios: 800,000 rows", check_rows, counts(800_000), counts(1_000_000)),
    ("Socios: 1,300,000 rows", check_rows, counts(1_300_000), counts(1_000_000)),
    (
        "4 of 300 look-ups differ in the cross-check: email 4",
        check_sample,
        Counter({"compared": 300, "different": 4, "different.email": 4}),
    ),
    ("no company", check_sample, Counter()),
    *(
        (r"^1,101 .* among 1,000,000 establishments$", check_register, SOUND | {name: 1_101}, None)
        for name in (*SOUND,)[1:]
    ),
    ("^30,000 establishments have gone", check_register, SOUND, changes(30_000)),
]


@pytest.mark.parametrize(("check", "given"), [(check, given) for check, *given in PASSING])
def test_likely_months_pass(check, given):
    check(*given)


@pytest.mark.parametrize(
    ("reason", "check", "given"), [(reason, *rest[:1], rest[1:]) for reason, *rest in FAILING]
)
def test_unlikely_months_fail(reason, check, given):
    with pytest.raises(SnapshotError, match=reason):
        check(*given)
