"""The gateway with restless threads: ``python -m tests.services.restless``.

They change places as often as the interpreter lets them, so that what is not safe for threads shows. Workers
import this module anew, so the interval is theirs too.
"""

import sys

from brskills_server.gateway.__main__ import main

sys.setswitchinterval(1e-4)

if __name__ == "__main__":
    main()
