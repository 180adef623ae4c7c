"""``python -m tests.simulator --port 9100``: the providers on 127.0.0.1 for a while.

Prints the settings that point brskills at them, and stops after a time.
"""

import argparse
import time
from contextlib import suppress

from tests.simulator.days import DAYS, Day
from tests.simulator.replies import FAULTS
from tests.simulator.server import PROVIDERS, Simulator


def main() -> None:
    """Serve until the time is up."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--port", type=int, default=9100, help="for all providers; the next six are one each")
    parser.add_argument("--seconds", type=float, default=900, help="stop after so long (default 900)")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="PROVIDER=NAME",
        help=f"one of {', '.join(PROVIDERS)}; one of {', '.join(FAULTS)}",
    )
    parser.add_argument("--day", choices=DAYS["days"], help="the latencies, failures and quotas of a day")
    arguments = parser.parse_args()
    with Simulator(arguments.port) as providers:
        for provider in PROVIDERS if arguments.day else ():
            providers.play(provider, Day(arguments.day, provider, time.monotonic))
        for fault in arguments.fault:
            providers.play(*fault.split("=", 1))
        for provider in PROVIDERS:
            print(f"{provider.upper()}_URL={providers.urls[provider]}", flush=True)
        with suppress(KeyboardInterrupt):
            time.sleep(arguments.seconds)


if __name__ == "__main__":
    main()
