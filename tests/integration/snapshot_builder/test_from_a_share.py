"""``make copy`` with the address of a share: what is downloaded, and what is not downloaded again."""

from brskills_server.adapters.snapshots.folder import kept_names
from tests.integration.snapshot_builder.building import DAY, NEXT_DAY, make_copy, publish
from tests.register.company import companies
from tests.register.share import FakeShare


def downloads(share):
    return sum(method == "GET" for method, *_ in share.requests)


def test_a_month_that_is_kept_is_not_downloaded_again(tmp_path):
    """Nor one that was gone back from: a schedule must not put it in place again."""
    publish(tmp_path / "share" / "2026-09", companies(11, 30), DAY)
    copy = tmp_path / "copy"
    with FakeShare(tmp_path / "share") as share:
        assert make_copy(copy, "build", share.page)[0] == 0
        assert kept_names(copy) == [str(DAY)]
        assert not (copy / "download").exists()
        publish(tmp_path / "share" / "2026-10", companies(11, 31), NEXT_DAY)
        assert make_copy(copy, "build", share.page)[0] == 0
        before = downloads(share)
        code, said = make_copy(copy, "build", share.page)
        assert (code, "is kept already" in said) == (0, True)
        assert f"the snapshot of {NEXT_DAY} is in place" in said
        assert make_copy(copy, "rollback")[0] == 0
        code, said = make_copy(copy, "build", share.page)
        assert (code, f"the snapshot of {DAY} is in place" in said) == (0, True)
        assert kept_names(copy) == [str(DAY), str(NEXT_DAY)]
        assert downloads(share) == before
        assert make_copy(copy, "build", share.page, "--anew")[0] == 0
        assert kept_names(copy) == [f"{NEXT_DAY}-2", str(DAY)]
        assert downloads(share) == 2 * before - before // 2


def test_files_that_have_changed_are_downloaded(tmp_path):
    publish(tmp_path / "share" / "2026-09", companies(11, 30), DAY)
    copy = tmp_path / "copy"
    with FakeShare(tmp_path / "share") as share:
        assert make_copy(copy, "build", share.page)[0] == 0
        (tmp_path / "share" / "2026-09").rename(tmp_path / "gone")
        publish(tmp_path / "share" / "2026-09", companies(12, 30), DAY)
        assert make_copy(copy, "build", share.page)[0] == 0
    assert kept_names(copy) == [f"{DAY}-2", str(DAY)]
