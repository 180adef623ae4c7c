"""The gateway with frequent switches between threads: ``python -m tests.services.restless``.

The interpreter switches between them as often as possible, so that code that is not safe for threads fails.
Workers import this module anew, so the interval applies to them too.
"""

import sys

from brskills_server.gateway.__main__ import main

sys.setswitchinterval(1e-4)

if __name__ == "__main__":
    main()
