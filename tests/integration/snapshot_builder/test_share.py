"""The month that is downloaded from a share that behaves, by each of its addresses, and what is resumed."""

import logging
from pathlib import Path

import pytest

from brskills_server.adapters.snapshots.folder import kept_names
from brskills_server.snapshot_builder.sources.fetch import CONNECTIONS, fetch
from brskills_server.snapshot_builder.sources.month import NAMES
from tests.integration.snapshot_builder.building import DAY, NEXT_DAY, make_copy, publish
from tests.integration.snapshot_builder.quick import Downloads
from tests.register.company import companies
from tests.register.months import a_zip, write_month
from tests.register.share import TOKEN, FakeShare, Fault


@pytest.mark.parametrize(
    "form",
    [
        "http://{host}/index.php/s/{token}",
        "HTTP://{host}/index.php/s/{token}?dir=/2026-10",
        "http://{host}/public.php/dav/files/{token}/2026-10",
        "http://{token}:@{host}/public.php/webdav/2026-10/",
    ],
)
def test_every_address_of_a_share_leads_to_its_month(form: str, downloads: Downloads) -> None:
    share = downloads.share
    fetched = downloads.assert_whole(form.format(host=share.host, token=TOKEN))
    assert fetched.folder == downloads.into
    assert downloads.into.stat().st_mode & 0o777 == 0o700
    paths = [share.folder / "2026-10" / name for name in NAMES]
    assert fetched.listed == {path.name: (path.stat().st_size, share.version(path)) for path in paths}
    assert share.most_seen == CONNECTIONS


def test_no_log_contains_the_user(downloads: Downloads, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    downloads.fetch(f"http://{TOKEN}:@{downloads.share.host}/public.php/webdav/")
    assert "PROPFIND" in caplog.text
    assert TOKEN not in caplog.text
    assert "Basic" not in caplog.text


def test_requests_have_the_user_agent(share: FakeShare, tmp_path: Path) -> None:
    fetch(share.page, tmp_path / "into", user_agent="brskills/1.0 (+https://example.com)")
    assert share.agents == {"brskills/1.0 (+https://example.com)"}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("public.php/webdav/", "refuses (401): the token or password is missing or not right"),
        ("dados/cnpj/", "no share or folder is at this address (404)"),
    ],
)
def test_addresses_without_a_share_are_reported(path: str, reason: str, downloads: Downloads) -> None:
    assert downloads.reasons(f"http://{downloads.share.host}/{path}") == (f"the share: {reason}",)


def test_the_newest_whole_month_is_downloaded(downloads: Downloads) -> None:
    folder = downloads.share.folder
    write_month(folder / "2026-09")
    write_month(folder / "2026-11", without=["Socios3.zip", "Simples.zip"])
    write_month(folder / "2026-12", without=NAMES)
    write_month(folder / "2026-13")  # not a month
    (folder / "cnpj.tar.gz").write_bytes(b"another file")
    assert downloads.assert_whole().notes == (
        f"2026-12: missing: {', '.join(NAMES)}",
        "2026-11: missing: Socios3.zip, Simples.zip",
    )


def test_without_a_whole_month_the_newest_is_reported(downloads: Downloads) -> None:
    folder = downloads.share.folder
    (folder / "2026-10" / "Cnaes.zip").unlink()
    write_month(folder / "2026-11", without=["Socios3.zip"])
    (folder / "2026-11" / "Paises.zip").write_bytes(b"")
    assert downloads.reasons() == ("2026-11: missing: Socios3.zip", "2026-11: empty: Paises.zip")
    assert not downloads.into.exists()


def test_a_second_run_downloads_only_what_has_changed(downloads: Downloads) -> None:
    share = downloads.share
    downloads.fetch()
    (share.folder / "2026-10" / "Socios1.zip").write_bytes(a_zip(3000, "another"))
    (downloads.into / "Simples.zip").write_bytes(b"cut")
    (downloads.into / "Socios0.zip").write_bytes(b"longer" * 1000)
    (downloads.into / "Socios2.zip").rename(downloads.into / "Socios2.zip.part").write_bytes(b"longer" * 1000)
    share.requests.clear()
    downloads.assert_whole()
    names = ("Socios1", "Simples", "Socios0", "Socios2")
    downloaded = {request for request in share.requests if request[0] == "GET"}
    assert downloaded == {("GET", f"{name}.zip", None) for name in names}
    write_month(share.folder / "2026-11")
    downloads.assert_whole(month="2026-11")


@pytest.mark.parametrize("is_changed", [False, True])
def test_a_part_of_an_earlier_run_is_resumed_in_the_same_version(
    is_changed: bool, downloads: Downloads
) -> None:
    share, path = downloads.share, downloads.share.folder / "2026-10" / "Simples.zip"
    share.faults[path.name] = [Fault(break_after=1000)]
    share.always[path.name] = Fault(status=503)
    assert "Simples.zip: given up after 4 attempts" in downloads.reasons()[0]
    del share.always[path.name]
    if is_changed:
        path.write_bytes(a_zip(3030, "another"))
    downloads.assert_whole()
    assert downloads.requests(path.name)[-1] == (None if is_changed else "bytes=1000-")


@pytest.mark.parametrize("note", [b"", b"[]", b"{", b"\xff", b'{"size": 1}'])
def test_a_part_with_an_unreadable_note_is_restarted(note: bytes, downloads: Downloads) -> None:
    downloads.into.mkdir()
    (downloads.into / "Simples.zip.part").write_bytes(b"not of this file")
    (downloads.into / "Simples.zip.json").write_bytes(note)
    downloads.assert_whole()


def test_without_versions_everything_is_downloaded_again(downloads: Downloads) -> None:
    downloads.share.versions = ""
    downloads.fetch()
    path = downloads.share.folder / "2026-10" / "Socios1.zip"
    path.write_bytes(path.read_bytes().replace(b"MEMBER", b"MEMBRE"))
    downloads.assert_whole()


@pytest.mark.parametrize(("versions", "resumed"), [("etag", True), ("date", True), ("", False)])
def test_only_files_with_versions_are_resumed(versions: str, resumed: bool, downloads: Downloads) -> None:
    downloads.share.versions = versions
    downloads.share.faults["Simples.zip"] = [Fault(break_after=1000)]
    downloads.assert_whole()
    assert downloads.requests("Simples.zip") == [None, "bytes=1000-" if resumed else None]


def test_a_disk_too_small_is_reported_before_anything_is_downloaded(downloads: Downloads) -> None:
    downloads.share.listed["Estabelecimentos0.zip"] = 10**14
    (reason,) = downloads.reasons()
    assert reason.startswith("the download needs 100,000,000 MB more on the disk")
    assert {method for method, *_ in downloads.share.requests} == {"PROPFIND"}


def test_a_built_month_is_not_downloaded_again(tmp_path: Path) -> None:
    """Nor one that was rolled back: a schedule must not put it in place again."""
    publish(tmp_path / "share" / "2026-09", companies(11, 10), DAY)
    copy = tmp_path / "copy"
    with FakeShare(tmp_path / "share") as share:

        def build(*options: str) -> tuple[list[str], int]:
            code, output = make_copy(copy, "build", share.page, *options)
            assert code == 0, output
            assert output.endswith(f"the snapshot of {kept_names(copy)[0][:10]} is in place\n")
            return kept_names(copy), sum(method == "GET" for method, *_ in share.requests)

        assert build() == ([str(DAY)], 37)
        assert not (copy / "download").exists()
        publish(tmp_path / "share" / "2026-10", companies(11, 11), NEXT_DAY)
        assert build() == build() == ([str(NEXT_DAY), str(DAY)], 2 * 37)
        assert make_copy(copy, "rollback")[0] == 0
        assert build() == ([str(DAY), str(NEXT_DAY)], 2 * 37)
        assert build("--anew") == ([f"{NEXT_DAY}-2", str(DAY)], 3 * 37)
        (tmp_path / "share" / "2026-10").rename(tmp_path / "gone")
        publish(tmp_path / "share" / "2026-10", companies(12, 10), NEXT_DAY)  # other files of that day
        assert build() == ([str(NEXT_DAY), str(DAY)], 4 * 37)
