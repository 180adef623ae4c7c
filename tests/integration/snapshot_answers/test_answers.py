"""The snapshot's record beside that of another provider of the monthly dump, field by field.

For each recorded answer the files are written, a snapshot is built from them, and its record compared.
"""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.snapshot.rows import record_text
from brskills_server.snapshot_builder.build import build_snapshot
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.source_files import open_month
from tests.integration.snapshot_answers.published import minhareceita, write_rows

DATA = Path(__file__).parents[2] / "data" / "registry"
DAY = date(2026, 9, 12)

OTHER_SOURCE = {"fonte", "data_base"}
FLOAT = {"capital_social_precisao"}  # the capital is a 32-bit float there
DIFFERENCES = {
    "brasilapi/okbr_docs": set(),
    "brasilapi/shehrazade_filial": FLOAT,
    "brasilapi/vipmedic_data_situacao_null": FLOAT,
}


def differences(built: Any, provided: Any, name: str = "") -> Iterator[str]:
    """Yield the names of the fields that differ; those of a list's items count as the list's."""
    if isinstance(built, dict) and isinstance(provided, dict):
        for field in built.keys() | provided.keys():
            yield from differences(built.get(field), provided.get(field), f"{name}.{field}".strip("."))
    elif isinstance(built, list) and isinstance(provided, list) and len(built) == len(provided):
        for one, other in zip(built, provided, strict=True):
            yield from differences(one, other, name)
    elif built != provided:
        yield name


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_snapshot_has_the_providers_record(name: str, tmp_path: Path) -> None:
    provider = name.partition("/")[0]
    answer = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    provided = read_record(PROVIDERS[provider], answer).model_dump(mode="json")
    write_rows(tmp_path, minhareceita(answer), DAY)
    place = SnapshotFolder(tmp_path / "copy")
    month = build_snapshot(open_month(tmp_path, DAY), place)
    assert month
    place.switch(month)
    company = StoredSnapshot(FolderMonths(place.path)).find(provided["cnpj"])
    assert company
    built = json.loads(record_text(company))
    assert set(differences(built, provided)) - OTHER_SOURCE == DIFFERENCES[name]
