"""The gateway with a clock that can be set: ``python -m lab.faults.moved_clock``.

The file that ``CLOCK_FILE_OF_TESTS`` names holds the seconds by which ``time.time`` is ahead, in every
process: workers import this module anew, before they import anything of the gateway. No other clock is moved.
"""

import os
import time

_true_time = time.time
_file = os.open(os.environ["CLOCK_FILE_OF_TESTS"], os.O_RDONLY)


def _moved_time() -> float:
    return _true_time() + float(os.pread(_file, 32, 0))


time.time = _moved_time

from brskills_server.gateway.__main__ import main  # noqa: E402, its defaults must be the patched time.time

if __name__ == "__main__":
    main()
