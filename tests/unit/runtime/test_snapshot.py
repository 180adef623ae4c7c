"""Which search a deployment has."""

from __future__ import annotations

from pathlib import Path

import pytest

from brskills_server.adapters.search.dynamodb import DynamoSearch
from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.postgresql import PostgresSearch
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.snapshot import open_search


@pytest.mark.parametrize(
    ("store", "place", "expected"),
    [
        ("dynamodb", "store", DynamoSearch),
        ("postgresql://localhost/brskills", "store", PostgresSearch),
        ("dynamodb", "folder", FolderSearch),
        ("sqlite:///any", "folder", FolderSearch),
    ],
)
def test_the_search_is_where_the_snapshot_is(
    store: str, place: str, expected: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    copy = place if place == "store" else f"{tmp_path}"
    settings = Settings.from_environment({"STORE": store, "REGISTRY_COPY": copy})
    assert isinstance(open_search(settings), expected)


@pytest.mark.parametrize("given", [{}, {"REGISTRY_COPY": "store", "REGISTRY_PROVIDERS": "opencnpj"}])
def test_without_a_snapshot_there_is_none(given: dict[str, str]) -> None:
    assert open_search(Settings.from_environment({"STORE": "dynamodb", **given})) is None
