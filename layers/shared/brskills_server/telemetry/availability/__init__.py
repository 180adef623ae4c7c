"""How often callers got the answer that was due to them: counted here, kept by day, told by the status.

What is counted: calls of skills, each item of a batch for itself, that were answered or failed. What a caller
or a quota refused is not among them. How: ``docs/status.md``. Nothing is imported but ``access``.
"""

from brskills_server.telemetry.availability.calls import FACTS, Calls
from brskills_server.telemetry.availability.history import PROMISED, AvailabilityReport, History, share
from brskills_server.telemetry.availability.remembered import Remembered
from brskills_server.telemetry.availability.tally import Tally

__all__ = ["FACTS", "PROMISED", "AvailabilityReport", "Calls", "History", "Remembered", "Tally", "share"]
