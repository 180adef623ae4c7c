"""The frontier of roots in a built snapshot, over a made register with old blocks."""

from pathlib import Path

from brskills_server.adapters.snapshots.folder import MonthFile
from tests.integration.snapshot_builder.building import build, publish
from tests.register.company import invent
from tests.register.digits import cnpj_digits
from tests.register.model import Company

MONTHS = [f"2025{month:02}" for month in range(1, 13)] + [f"2026{month:02}" for month in range(1, 10)]


def head_office(root: int | str, opened: str, kind: str = "1") -> Company:
    digits = cnpj_digits(f"{root:0>8}0001")
    company = invent(5, int(f"{root}"[:4]), branches=1, partners=1)
    (branch,) = company.branches
    branch = branch._replace(order="0001", digits=digits, head_office=kind, opened=opened)
    return company._replace(root=f"{root:0>8}", branches=(branch,))


def test_old_blocks_and_branches_are_left_out(tmp_path: Path) -> None:
    given = [
        head_office(60_000_000 + 400_000 * n - less, f"{month}{10 + day}")
        for n, month in enumerate(MONTHS)
        for day, less in enumerate((200_000, 0, 300_000))
    ]
    old = [
        head_office(90_400_888, "19660809"),
        head_office(92_702_067, "20260510"),  # with a new day of opening
        head_office(71_000_000, "20260901", kind="2"),
        head_office(12_345_678, "20260902"),
        head_office("6850E004", "20260903"),
    ]
    publish(tmp_path / "in", [*given, *old])
    texts = MonthFile(build(tmp_path / "copy", tmp_path / "in")).edition.texts
    assert texts["frontier"] == {month: str(60_000_000 + 400_000 * n) for n, month in enumerate(MONTHS)}
