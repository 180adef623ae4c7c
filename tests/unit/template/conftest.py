"""The templates in their expanded form, which is what CloudFormation gets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.services import expanded


@pytest.fixture(scope="session")
def resources() -> dict[str, Any]:
    return expanded.resources() | expanded.read("register.yaml")["Resources"]


@pytest.fixture(scope="session")
def service() -> dict[str, Any]:
    """Return the resources of the service's stack alone."""
    return expanded.resources()
