"""Which numbers may be too new for the sources to know: those beyond the frontier of the roots given so far.

Roots are given in rising order, apart from older blocks between 70 and 99 million. (No manual says so; it is
what the federal register's monthly files show.)
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import combinations
from types import MappingProxyType

FRONTIER = "frontier"
"""Its key in the texts of an ``Edition``: month of opening (``202606``) → the greatest root of that month."""

MOST_STEP = 1_000_000
"""More than the roots of a month: 433,000 companies were opened in one in 2025, see ``_GROWTH``."""

_MONTHS = MappingProxyType({"202606": "67776532"})
"""Used without a copy of our own: 67.776.532/0001-96 was opened in June 2026 (leads2b/receita-tools#43)."""
_GROWTH = 5_200_000
"""Roots in a year: 1,815,912 and 1,668,753 companies were opened from January to April and from May to August
2025 (Mapa de Empresas, federal government)."""

_UNSEEN = timedelta(days=120)  # a dump is 30 to 60 days old, and refusals from before it are kept
_FIRST_DAY = date(2020, 1, 1)  # no source has older data
_MARGIN = 3  # months
_LEAST_MONTHS = 3  # fewer show no order


def may_be_new(cnpj: str, day: date | None, today: date, months: Mapping[str, str]) -> bool:
    """Return whether data of a day may lack a number only because it was given lately.

    ``day``: ``None`` or one that cannot be true counts as ``today``, as some sources answer from caches of
    unknown age. ``months``: the frontier of our own copy, as `rising` returns it; may be empty.
    """
    if not cnpj.isdecimal():  # numbers with letters are given since July 2026
        return True
    roots = {_ordinal(month): int(root) for month, root in (months or _MONTHS).items()}
    first, last = min(roots), max(roots)
    growth = (roots[last] - roots[first]) / (last - first) * 12 if last > first else _GROWTH
    then = (day if day and _FIRST_DAY <= day <= today else today) - _UNSEEN
    wanted = then.year * 12 + then.month - 1  # the last whole month before
    known = max((month for month in roots if month <= wanted), default=first)
    frontier = roots[known] - growth * max(0, known - wanted) / 12
    # A year beyond, and more where the months known are old: roots were given up to today.
    ahead = max(12, 12 + wanted - known, today.year * 12 + today.month - known + _MARGIN)
    return frontier <= int(cnpj[:8]) <= frontier + growth * ahead / 12


def rising(found: Mapping[str, int]) -> dict[str, str]:
    """Return the greatest roots by month without those out of order, such as one of an older block.

    A month counts where most others agree that roots rise, by at most `MOST_STEP` a month.
    """
    agreeing = dict.fromkeys(found, 0)
    for one, other in combinations(sorted(found), 2):
        if 0 <= found[other] - found[one] <= MOST_STEP * (_ordinal(other) - _ordinal(one)):
            agreeing[one] += 1
            agreeing[other] += 1
    kept = [month for month in sorted(found) if 2 * agreeing[month] >= len(found) - 1]
    return {month: str(found[month]) for month in kept} if len(kept) >= _LEAST_MONTHS else {}


def _ordinal(month: str) -> int:
    return int(month[:4]) * 12 + int(month[4:])
