"""Every provider of the register accepts connections and says nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults.service import serving
from tests.faults.traffic import LOOK_UPS
from tests.faults.trial import OPERATION, Budget, Row, Trial
from tests.simulator import Simulator

__all__ = ["faults"]

SILENT_SECONDS = 14.0
LOOK_UP_SECONDS = 12.0  # how long docs/registry.md has a caller wait at most
BACK_SECONDS = 20.0  # a trial call that still met silence has the breaker rest for ten seconds more


def faults(folder: Path) -> Iterator[Row]:
    """Look-ups of companies that nobody has asked for before, and codes beside them."""
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        asked = {"REGISTRY_PROVIDERS": "opencnpj,brasilapi", **urls}
        with serving(folder, f"sqlite:///{folder}/brskills.db", **asked) as service:
            trial, beside = Trial(service, LOOK_UPS), Trial(service)
            with beside.running(), trial.running():
                for provider in providers.urls:
                    providers.play(provider, "silent")
                time.sleep(SILENT_SECONDS)
                for provider in providers.urls:
                    providers.play(provider, "truth")
                trial.end()
            wrong = beside.untouched()
            wait = LOOK_UP_SECONDS + OPERATION
            row = trial.judged(
                "all providers silent",
                felt={503},
                budget=Budget(wait, wait + OPERATION),
                back=BACK_SECONDS,
                doubt=False,
            )
            row.faults += [f"codes beside it: {what}" for what in wrong]
            yield row
