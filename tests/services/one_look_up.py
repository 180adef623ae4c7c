"""The gateway with one look-up at a time: ``python -m tests.services.one_look_up``.

Only until ``Services.find_company`` may be called from several threads at once. Threads also change places as
often as the interpreter lets them, so that what is not safe for them shows.
"""

import sys
import threading
from typing import Any

from gateway.__main__ import main
from wiring.services import Services

sys.setswitchinterval(1e-4)
_lock = threading.Lock()


def _one_at_a_time(method: Any) -> Any:
    def run(*arguments: Any) -> Any:
        with _lock:
            return method(*arguments)

    return run


Services.find_company = _one_at_a_time(Services.find_company)  # type: ignore[method-assign]
Services.provider_health = _one_at_a_time(Services.provider_health)  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
