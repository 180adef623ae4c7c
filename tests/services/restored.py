"""A function that is loaded once and continues as two processes, as AWS restores one from its snapshot.

``python -m tests.services.restored EVENT`` prints a line of JSON: how it was when the snapshot was taken, and
the results of both. The function's folder and AWS's hooks (``tests/fakes/runtime``) are on the path.
"""

import importlib
import json
import os
import random
import sys
import threading
from pathlib import Path
from typing import Any

Outcome = dict[str, Any]


def _open_sockets() -> int:
    links = [entry for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
    return sum(str(entry.readlink()).startswith("socket:") for entry in links)


def _restore(handler: Any, event: Outcome, chance: Any, connected: list[int]) -> Outcome:
    connected.clear()
    # A fork reseeds random numbers; a restored process must do so itself.
    random.setstate(chance)
    for work in importlib.import_module("snapshot_restore_py").after_restore:
        work()
    answer = handler(event, None)
    services = importlib.import_module("app").services
    return {
        "chance": random.random(),
        "issued": services.accounts.open("free").api_key,
        "connected": connected,
        "answer": answer,
    }


def _in_a_process(*arguments: Any) -> Outcome:
    reading, writing = os.pipe()
    if not os.fork():
        os.write(writing, json.dumps(_restore(*arguments)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as reader:
        outcome: Outcome = json.loads(reader.read())
    os.wait()
    return outcome


def main() -> None:
    connected: list[int] = []  # the ports that a connection was made to

    def note(event: str, arguments: Any) -> None:
        if event == "socket.connect":
            connected.append(arguments[1][1])

    sys.addaudithook(note)
    handler = importlib.import_module("brskills_server.runtime.start").handler
    taken = {"threads": threading.active_count(), "sockets": _open_sockets(), "connected": [*connected]}
    asks = "brskills_server.registry.providers.client" in sys.modules
    chance, event = random.getstate(), json.loads(sys.argv[1])
    restored = [_in_a_process(handler, event, chance, connected) for _ in range(2)]
    print(json.dumps({"taken": taken, "asks": asks, "restored": restored}))


if __name__ == "__main__":
    main()
