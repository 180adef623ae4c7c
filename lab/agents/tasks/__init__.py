"""The twenty tasks."""

from lab.agents.task import Task
from lab.agents.tasks.companies import COMPANIES
from lab.agents.tasks.pix import PIX
from lab.agents.tasks.searches import SEARCHES
from lab.agents.tasks.watches import WATCHES

TASKS: tuple[Task, ...] = (*PIX, *COMPANIES, *SEARCHES, *WATCHES)
