"""A right script and wrong ones for each task, by the task's name."""

from lab.agents.scripted import Mistake, Script
from lab.agents.scripts import companies, pix, searches, watches

RIGHT: dict[str, Script] = {**pix.RIGHT, **companies.RIGHT, **searches.RIGHT, **watches.RIGHT}
WRONG: dict[str, tuple[Mistake, ...]] = {**pix.WRONG, **companies.WRONG, **searches.WRONG, **watches.WRONG}
