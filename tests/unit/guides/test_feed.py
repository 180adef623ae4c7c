"""The releases as an Atom feed, as RFC 4287 demands."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from brskills_server.runtime.settings import VERSION
from functions.site import app
from guides.__main__ import make
from guides.feed import CHANGELOG, releases
from tests.services.gateway import ROOT
from tests.unit.site.serving import event

NAMES = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ElementTree.Element:
    make(tmp_path / "guides")
    monkeypatch.setattr(app, "HERE", tmp_path)
    answer = app.handler(event("/changelog.atom", path="/v1/changelog.atom", Host="x.example"), None)
    assert answer["headers"]["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer["body"])  # noqa: S314, we wrote it


def text(element: ElementTree.Element, name: str) -> str:
    (found,) = element.findall(f"a:{name}", NAMES)
    return found.text or ""


def test_every_release_is_an_entry_with_what_atom_requires(feed: ElementTree.Element) -> None:
    entries = feed.findall("a:entry", NAMES)
    assert [text(entry, "title") for entry in entries] == [f"brskills {each.version}" for each in releases()]
    for element in (feed, *entries):
        assert text(element, "id").startswith("urn:brskills:")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT12:00:00Z", text(element, "updated"))
    assert len({text(entry, "id") for entry in entries}) == len(entries)
    assert feed.find("a:author/a:name", NAMES) is not None
    (own,) = (link for link in feed.findall("a:link", NAMES) if link.attrib["rel"] == "self")
    assert own.attrib["href"] == "http://x.example/v1/changelog.atom"
    assert all("<h3>" in text(entry, "content") for entry in entries)


def test_without_the_build_there_is_no_feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "HERE", tmp_path)
    assert app.handler(event("/changelog.atom"), None)["statusCode"] == 404


def test_the_newest_release_is_the_version_that_every_file_names() -> None:
    assert releases()[0].version == VERSION
    assert "## [Unreleased]" in CHANGELOG.read_text("utf-8")
    assert json.loads((ROOT / "server.json").read_text())["version"] == VERSION
    for file in ("compose.yaml", "Dockerfile", "on-premise/install.py", "docs/operate/on-premise.md"):
        named = re.findall(
            r"brskills(?:-server)?(?:-with-copy)?[:-](\d+\.\d+\.\d+)", (ROOT / file).read_text("utf-8")
        )
        assert set(named) == {VERSION}, file
