"""What should make a payer look twice: by the code, and by what the register says of the company paid."""

from collections.abc import Iterator
from datetime import date

from brskills_server.skills.payee.names import Verdict

__all__ = ["RECENT_DAYS", "STALE_DAYS", "alerts_of_company"]

RECENT_DAYS = 90
"""A company that was opened fewer days ago is recent: few can know it yet."""

STALE_DAYS = 60
"""Data of more days ago is old: two of the register's months."""

_ACTIVE = "02"


def alerts_of_company(
    status: str | None, opened: date | None, data_day: date | None, name: Verdict, today: date
) -> Iterator[str]:
    """The codes of alerts, in the order of their weight.

    ``status``: the code of the situação cadastral. ``data_day``: the day of the data. What is not known
    raises no alert.
    """
    if status is not None and status != _ACTIVE:
        yield "empresa_inativa"
    if name == "diverge":
        yield "nome_diverge"
    if opened is not None and (today - opened).days < RECENT_DAYS:
        yield "empresa_recente"
    if data_day is not None and (today - data_day).days > STALE_DAYS:
        yield "dado_antigo"
