"""``make smoke`` passes wherever the service runs."""

import pytest

from deployment.smoke.__main__ import main
from tests.e2e.conftest import Service


def test_the_smoke_test_passes(simulated: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("API_KEY", raising=False)
    assert main([f"{simulated.base_url}/"]) == 0
