"""What a search asks for, in canonical form."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Criteria:
    """A search. Within a field any of its values fits; every field that is not empty must fit.

    ``names``: the words of each name as ``words.fold`` returns them, sorted and distinct. A name fits if each
    of its words is in the legal or the trade name; a name without words fits nothing.
    ``roots``: 8 characters. ``activities``: 7 digits, main or secondary. ``cities``: SIAFI, 4 digits,
    with the state behind them where others share the code. ``postal_codes``: 8 digits, or the first 5.
    ``natures``: 4 digits. ``sizes`` and ``statuses``: 2 digits.
    ``opened_from`` and ``opened_to``: both inclusive. ``mei`` and ``simples``: ``False`` fits also where it
    is not known. ``partners``: the CNPJs of partners that are companies.
    """

    names: tuple[tuple[str, ...], ...] = ()
    roots: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    main_activities: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()
    postal_codes: tuple[str, ...] = ()
    natures: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    opened_from: date | None = None
    opened_to: date | None = None
    head_office: bool | None = None
    mei: bool | None = None
    simples: bool | None = None
    partners: tuple[str, ...] = ()
