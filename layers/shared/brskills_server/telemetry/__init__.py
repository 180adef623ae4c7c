"""Metrics of the service: their names and labels, and the recorder of this process that receives them.

No label or value holds anything of a caller. Nothing is recorded until ``record_with`` chooses a recorder.
"""

from brskills_server.telemetry.figures import FIGURES, Figure
from brskills_server.telemetry.recorder import Recorder, add, count, flush, observe, record_with

__all__ = ["FIGURES", "Figure", "Recorder", "add", "count", "flush", "observe", "record_with"]
