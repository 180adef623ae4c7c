"""Stores of earlier releases, kept as SQL, with what those releases exported of them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.admin.__main__ import main
from brskills_server.metering.ledger import Ledger

from .databases import NOW, open_at

RELEASES = Path(__file__).parents[3] / "data" / "releases"
KEY = "brsk_2EEyhvFr5sIweDLERwp3EwJLihnkwa8M1FhiF8"


@pytest.mark.parametrize("release", ["1.2.0"])
def test_a_store_of_a_release_is_exported_as_it_was_then_and_its_keys_work(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(tmp_path / "store.db")) as database:
        database.executescript((RELEASES / f"{release}.sql").read_text(encoding="utf-8"))
    monkeypatch.setenv("STORE", f"sqlite:///{tmp_path}/store.db")
    assert main(["export-store", str(tmp_path / "now.jsonl")]) == 0
    now, then = (
        path.read_text(encoding="utf-8").splitlines()
        for path in (tmp_path / "now.jsonl", RELEASES / f"{release}.jsonl")
    )
    assert json.loads(then[0]) == {"format": 1, "release": release}
    assert [json.loads(line) for line in now[1:]] == [json.loads(line) for line in then[1:]]
    access = open_at(f"sqlite:///{tmp_path}/store.db").access
    caller, _ = Accounts(access, None).identify(KEY)
    assert Ledger(access, 0, lambda: NOW).reserve(caller).quota.calls == 2
