"""The templates stay readable: their size, their lines, and how much they ask for."""

from tests.for_each import for_each
from tests.services.expanded import template
from tests.services.gateway import ROOT

KIB = 1024


def test_the_service_fits_a_readers_patience() -> None:
    # 65 before watches, which added a table, two functions with their rights, and six routes; 71 before
    # webhooks, which added a queue, a function with its rights, and eight routes.
    assert (ROOT / "template.yaml").stat().st_size <= 76 * KIB
    assert len(template()["Parameters"]) <= 38


@for_each("file", ["template.yaml", "monitoring.yaml", "register.yaml"])
def test_no_line_is_longer_than_a_screen(file: str) -> None:
    assert max(map(len, (ROOT / file).read_text(encoding="utf-8").splitlines())) <= 160
