"""``make run`` over the store that takes no time; ``STORE=instant``, also in its workers."""

import sys

from tests.bench.warm import instant

sys.modules["adapters.instant"] = instant  # each worker imports this module before its own work

if __name__ == "__main__":
    from brskills_server.gateway.__main__ import main

    main()
