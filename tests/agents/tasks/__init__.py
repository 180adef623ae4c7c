"""The twenty tasks."""

from tests.agents.task import Task
from tests.agents.tasks.companies import COMPANIES
from tests.agents.tasks.pix import PIX
from tests.agents.tasks.searches import SEARCHES
from tests.agents.tasks.watches import WATCHES

TASKS: tuple[Task, ...] = (*PIX, *COMPANIES, *SEARCHES, *WATCHES)
