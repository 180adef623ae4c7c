"""Clients without extensions get the recorded answers, byte for byte."""

from __future__ import annotations

import json

from .recording import FILE, answers


def test_clients_without_extensions_are_answered_as_recorded() -> None:
    recorded, now = json.loads(FILE.read_text(encoding="utf-8")), answers()
    assert now.keys() == recorded.keys()
    for title, answer in recorded.items():
        assert now[title] == answer, title
