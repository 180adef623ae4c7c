"""Where the gateway says that it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateway.__main__ import greet
from gateway.settings import GatewaySettings
from wiring.reader import Reader

SETTINGS = GatewaySettings.read(Reader({"PORT": "9000"}))


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("0.0.0.0", "http://127.0.0.1:9000"),
        ("::1", "http://[::1]:9000"),
        ("::", "http://127.0.0.1:9000"),
        ("brskills.example", "http://brskills.example:9000"),
    ],
)
def test_the_address_can_be_asked_as_it_is_printed(
    host: str, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    greet(replace(SETTINGS, host=host), "key", "store", None)
    printed = capsys.readouterr().out
    assert printed.count(f"{base}/api/v1/skills/") == 2
    assert "(Ctrl-C stops it), with no copy of the register; its store" in printed


def test_the_day_of_our_own_copy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    greet(SETTINGS, "key", "store", "2026-09-12")
    assert "with a copy of the register of 2026-09-12; its store is at store. Try:" in capsys.readouterr().out
