"""What a joined month may hold of odd rows, and how many may have gone."""

import pytest

from brskills_server.snapshot_builder.checks import check_register
from brskills_server.snapshot_builder.errors import SnapshotError

SOUND = {"establishments": 1_000_000, "orphans": 0, "repeated": 0, "contradicted": 0, "unreadable": 0}


def changes(gone: int) -> dict[str, dict[str, int]]:
    return {"establishments": {"gone": gone}}


@pytest.mark.parametrize("name", ["orphans", "repeated", "contradicted", "unreadable"])
def test_a_thousandth_may_be_odd(name: str) -> None:
    check_register(SOUND | {name: 1_100}, None)
    with pytest.raises(SnapshotError, match=r"^1,101 .* among 1,000,000 establishments$"):
        check_register(SOUND | {name: 1_101}, None)


def test_a_fiftieth_may_have_gone() -> None:
    check_register(SOUND, changes(20_000))
    with pytest.raises(SnapshotError, match=r"^30,000 establishments have gone"):
        check_register(SOUND, changes(30_000))


def test_of_few_all_may_be_odd() -> None:
    check_register(dict.fromkeys(SOUND, 100), changes(100))
