"""What the service measures of itself: the figures by name, and where they go.

Whoever has something to tell counts or observes it here; unless a recorder was chosen (``record_with``), it
is told to nobody. The figures' names, labels and meanings stand once, in ``brskills_server.telemetry.figures``. Nothing is
imported but the standard library, and no label ever holds anything of a caller.
"""

from brskills_server.telemetry.figures import FIGURES, Figure
from brskills_server.telemetry.recorder import Recorder, add, count, flush, observe, record_with

__all__ = ["FIGURES", "Figure", "Recorder", "add", "count", "flush", "observe", "record_with"]
