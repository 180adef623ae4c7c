"""A right script and wrong ones for each task, by the task's name."""

from tests.agents.scripted import Mistake, Script
from tests.agents.scripts import companies, pix, watches

RIGHT: dict[str, Script] = {**pix.RIGHT, **companies.RIGHT, **watches.RIGHT}
WRONG: dict[str, tuple[Mistake, ...]] = {**pix.WRONG, **companies.WRONG, **watches.WRONG}
