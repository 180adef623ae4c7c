"""One line for each check, with the time it took, and the reason where it fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from deployment.smoke.expectations import CheckFailed
from deployment.smoke.service import Unreachable

_ADVICE = {
    "signup_closed": "Sign-up is closed at this deployment: run it with API_KEY=… of one of its keys.",
    "signup_limit": "This network's sign-ups are used up for now: run it with API_KEY=… of a key you have.",
    "invalid_api_key": "API_KEY is not a key of this deployment, or was revoked.",
    "quota_exceeded": "The key's calls of this month are used up: run it with another API_KEY=….",
    "throttled": "The gateway limits the rate: run it again in a minute.",
    "store_unavailable": "The service does not reach its tables: see its log.",
}


class Report:
    """The checks so far: how many ``passed`` and ``failed``."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, title: str, run: Callable[[], object]) -> bool:
        """Run a check, print its line, and return whether it passed. Raise ``Unreachable`` once printed."""
        began = time.monotonic()
        try:
            run()
        except CheckFailed as failure:
            self._fail(title, failure.expected, failure.got, _ADVICE.get(failure.code))
            return False
        except Unreachable as failure:
            self._fail(title, "an answer", str(failure))
            raise
        self.passed += 1
        print(f"ok    {title} ({(time.monotonic() - began) * 1000:.0f} ms)", flush=True)
        return True

    def check_all(self, checks: Mapping[str, Callable[[], object]]) -> None:
        """Run each check by its title, also after one that fails."""
        for title, run in checks.items():
            self.check(title, run)

    def _fail(self, title: str, expected: str, got: str, advice: str | None = None) -> None:
        self.failed += 1
        print(f"FAIL  {title}\n      expected: {expected}\n      got:      {got}", flush=True)
        if advice:
            print(f"      {advice}", flush=True)
