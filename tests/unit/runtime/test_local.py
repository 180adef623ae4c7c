"""The address of a store as logs show it."""

from __future__ import annotations

import pytest

from brskills_server.runtime.local import redact_store_url


@pytest.mark.parametrize(
    ("store", "shown"),
    [
        ("postgresql://u:hunter2@db:5432/brskills", "postgresql://db:5432/brskills"),
        ("postgresql://u:hun?ter2@db/brskills", "postgresql://db/brskills"),
        ("postgresql://u:hun%40ter2@db/brskills?password=hunter2", "postgresql://db/brskills"),
        ("postgresql://db?password=x%40hunter2", "postgresql://db/"),
        ("postgresql:///brskills?host=/run/postgresql", "postgresql:///run/postgresql/brskills"),
        ("sqlite:////srv/a@b/x.db?mode=ro", "sqlite:////srv/a@b/x.db?mode=ro"),
        ("memory", "memory"),
        ("dynamodb", "dynamodb"),
        ("shelf:hunter2", "shelf"),
    ],
)
def test_a_stores_address_is_shown_without_its_password(monkeypatch, store: str, shown: str) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL_DYNAMODB", raising=False)
    assert redact_store_url(store) == shown
