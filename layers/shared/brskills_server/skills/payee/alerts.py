"""Alerts of a company that is to be paid, by what the registry has on it."""

from collections.abc import Iterator
from datetime import date

from brskills_server.skills.payee.names import NameMatch

RECENT_DAYS = 90
"""A company opened fewer days ago is recent."""

STALE_DAYS = 60
"""Data of more days ago is old: the register is published monthly."""

_ACTIVE = "02"


def alerts_of_company(
    status: str | None, opened: date | None, data_day: date | None, name: NameMatch, today: date
) -> Iterator[str]:
    """Yield the codes of alerts, the most serious first.

    ``status``: the code of the situação cadastral. ``data_day``: the day of the data. Unknown values cause
    no alert.
    """
    if status is not None and status != _ACTIVE:
        yield "empresa_inativa"
    if name == "diverge":
        yield "nome_diverge"
    if opened is not None and (today - opened).days < RECENT_DAYS:
        yield "empresa_recente"
    if data_day is not None and (today - data_day).days > STALE_DAYS:
        yield "dado_antigo"
