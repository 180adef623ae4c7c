"""All defects, by name: ``{"zero_dates": …, "cut_off:Socios": …}``.

Those of ``odd_values`` are a company with odd values, those of ``spoiled_rows`` a row written wrongly. The
function of each says what must come of it. Rules that follow from none of the files, and are chosen here:

- Of two rows with one number the one with the later day of its situação counts (Estabelecimentos), then the
  one whose fields, compared as text from the first on, are greater. The order of rows means nothing.
- A text of more than 2,000 characters rejects its row, as with every provider: it may be several rows.
- An amount, day or code that cannot be one is ``None``, and its row stays; a row without the right number of
  columns, with wrong check digits, or without a company's name is rejected.
- A rejected row of partners or of Simples makes its company unknown: its record would be false without it. So
  does one of a company or an establishment that has a readable row too: it may be the one that counts.
"""

from collections.abc import Iterable, Mapping

from tests.register.chance import Chance
from tests.register.defect import Defect
from tests.register.model import Company
from tests.register.odd_values import CHANGES
from tests.register.spoiled_rows import SPOILED

ALL: Mapping[str, Defect] = {change.__name__: Defect(change.__name__, change) for change in CHANGES} | {
    defect.name: defect for defect in SPOILED
}


def spread(defects: Iterable[Defect], companies: Iterable[Company], seed: int = 0) -> dict[str, Defect]:
    """Choose a company for each defect, by root. Raise `ValueError` if there are too few."""
    roots = [company.root for company in companies]
    wanted = list(defects)
    if len(wanted) > len(roots):
        raise ValueError("more defects than companies")
    return dict(zip(Chance(seed).sample(roots, len(wanted)), wanted, strict=True))
