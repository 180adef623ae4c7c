"""``make run`` over a store that takes no time, also in its workers, which import this module first."""

from brskills_server.runtime import services
from lab.bench.warm import instant

services.open_stores = instant.open_stores

if __name__ == "__main__":
    from brskills_server.gateway.__main__ import main

    main()
