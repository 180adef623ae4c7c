"""Documents stay short enough to be read."""

import json

from tests.services.gateway import ROOT

DOCUMENTS = [*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")]
DECISIONS = [*ROOT.glob("docs/decisions/*.md")]
KIB = 1024


def test_the_documents_are_280_kb_in_all() -> None:
    assert sum(path.stat().st_size for path in DOCUMENTS) <= 280 * KIB


def test_a_readme_is_read_in_minutes() -> None:
    readmes = {path.name: path.stat().st_size for path in ROOT.glob("README*.md")}
    assert readmes.keys() == {"README.md", "README.pt-BR.md"}
    assert max(readmes.values()) <= 8 * KIB


def test_decisions_are_few_and_short() -> None:
    assert len(DECISIONS) <= 20
    assert max(path.stat().st_size for path in DECISIONS) <= 3 * KIB


def test_pictures_load_at_once() -> None:
    assert max(path.stat().st_size for path in ROOT.glob("docs/images/*")) < 30_000


def test_the_figures_of_a_release_are_read_in_a_change() -> None:
    for path in ROOT.glob("docs/evidence/figures/*/*.json"):
        release = json.loads(path.read_text(encoding="utf-8"))
        for names in (release, *release.values()):
            assert list(names) == sorted(names)
        assert path.stat().st_size < 6 * KIB
