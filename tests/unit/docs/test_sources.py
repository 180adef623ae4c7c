"""Every text that cites a norm cites its present edition, from one table."""

import re

from brcode.rules import SOURCES
from tests.services.gateway import ROOT

EDITIONS = {name: edition.rpartition(" ")[2] for name, edition in SOURCES.items()}
CITED = {
    "EMVCo": r"QRCPS-MPM v?(\d[\d.]*\d)",
    "BR Code": r"Manual do BR Code v?(\d[\d.]*\d)",
    "Pix": r"(?:Iniciação\s+do\s+Pix|[Mm]anual)\s+v?(\d+\.\d+[\d.]*)",
    "API Pix": r"(?:API Pix|Pix API)\s+v?(\d[\d.]*\d)",
    "DICT": r"(?:API DICT|DICT API)\s+v?(\d[\d.]*\d)",
}
TEXTS = [
    path
    for pattern in ("layers/**/*.py", "functions/**/*.py", "docs/**/*.md", "clients/**/*.py", "README*.md")
    for path in ROOT.glob(pattern)
]


def test_the_present_edition_is_cited() -> None:
    cited = [
        (name, edition)
        for path in TEXTS
        for name, pattern in CITED.items()
        for edition in re.findall(pattern, path.read_text(encoding="utf-8"))
    ]
    assert {name for name, _ in cited} == EDITIONS.keys()
    assert {(name, edition) for name, edition in cited if edition != EDITIONS[name]} == set()
