"""The month that is taken from a share that behaves, by each of its addresses."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from brskills_server.snapshot_builder.sources.fetch import CONNECTIONS, fetch
from brskills_server.snapshot_builder.sources.month import NAMES
from tests.integration.snapshot_builder.quick import QUICK, assert_whole, bring_in, reasons_of
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
def test_every_address_of_a_share_leads_to_its_month(form: str, share: FakeShare, tmp_path: Path) -> None:
    source = form.format(host=share.host, token=TOKEN)
    fetched = bring_in(share, tmp_path / "into", source=source)
    assert_whole(fetched, share)
    assert fetched.folder == tmp_path / "into"
    paths = [share.folder / "2026-10" / name for name in NAMES]
    assert fetched.files == {path.name: (path.stat().st_size, share.version(path)) for path in paths}
    assert share.most_seen == CONNECTIONS


def test_no_log_contains_the_user(share: FakeShare, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bring_in(share, tmp_path / "into", source=f"http://{TOKEN}:@{share.host}/public.php/webdav/")
    assert "PROPFIND" in caplog.text
    assert TOKEN not in caplog.text
    assert "Basic" not in caplog.text


def test_requests_have_the_user_agent(share: FakeShare, tmp_path: Path) -> None:
    fetch(share.page, tmp_path / "into", user_agent="brskills/1.0 (+https://example.com)")
    assert share.agents == {"brskills/1.0 (+https://example.com)"}


def test_an_address_that_needs_its_token_is_reported(share: FakeShare, tmp_path: Path) -> None:
    source = f"http://{share.host}/public.php/webdav/"
    assert reasons_of(share, tmp_path / "into", source=source) == (
        "the share: refuses (401): the token or password is missing or not right",
    )


def test_an_address_without_a_share_is_reported(share: FakeShare, tmp_path: Path) -> None:
    source = f"http://{share.host}/dados/cnpj/"
    assert reasons_of(share, tmp_path / "into", source=source) == (
        "the share: no share or folder is at this address (404)",
    )


def test_the_folder_of_a_download_is_for_nobody_else(share: FakeShare, tmp_path: Path) -> None:
    bring_in(share, tmp_path / "deep" / "into")
    assert (tmp_path / "deep" / "into").stat().st_mode & 0o777 == 0o700


def test_the_newest_month_is_taken_unless_it_is_not_whole(share: FakeShare, tmp_path: Path) -> None:
    write_month(share.folder / "2026-09")
    write_month(share.folder / "2026-11", without=["Socios3.zip", "Simples.zip"])
    write_month(share.folder / "2026-12", without=NAMES)
    write_month(share.folder / "2026-13")  # nor is this one a month
    (share.folder / "cnpj.tar.gz").write_bytes(b"an archive that is nobody's concern")
    fetched = bring_in(share, tmp_path / "into")
    assert_whole(fetched, share)
    assert fetched.notes == (
        f"2026-12: missing: {', '.join(NAMES)}",
        "2026-11: missing: Socios3.zip, Simples.zip",
    )


def test_without_a_whole_month_the_newest_is_reported(share: FakeShare, tmp_path: Path) -> None:
    (share.folder / "2026-10" / "Cnaes.zip").unlink()
    write_month(share.folder / "2026-11", without=["Socios3.zip"])
    (share.folder / "2026-11" / "Empresas10.zip").write_bytes(a_zip(10))
    (share.folder / "2026-11" / "Paises.zip").write_bytes(b"")
    (share.folder / "2026-11" / "leia-me.pdf").write_bytes(b"")
    assert reasons_of(share, tmp_path / "into") == (
        "2026-11: missing: Socios3.zip",
        "2026-11: empty: Paises.zip",
        "2026-11: unexpected: Empresas10.zip",
    )
    assert not (tmp_path / "into").exists()


def test_a_second_run_downloads_only_what_has_changed(share: FakeShare, tmp_path: Path) -> None:
    bring_in(share, tmp_path / "into")
    (share.folder / "2026-10" / "Socios1.zip").write_bytes(a_zip(3000, "another"))
    share.requests.clear()
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert [request for request in share.requests if request[0] == "GET"] == [("GET", "Socios1.zip", None)]


def test_another_month_takes_the_place_of_the_former(share: FakeShare, tmp_path: Path) -> None:
    bring_in(share, tmp_path / "into")
    write_month(share.folder / "2026-11")
    assert_whole(bring_in(share, tmp_path / "into"), share, "2026-11")


def test_a_part_of_an_earlier_run_is_resumed(share: FakeShare, tmp_path: Path) -> None:
    share.faults["Simples.zip"] = [Fault(break_after=1000)]
    share.always["Simples.zip"] = Fault(status=503)
    assert "Simples.zip: given up after 4 attempts" in reasons_of(share, tmp_path / "into")[0]
    del share.always["Simples.zip"]
    share.sent.clear()
    assert_whole(bring_in(share, tmp_path / "into"), share)
    size = (share.folder / "2026-10" / "Simples.zip").stat().st_size
    assert share.sent["Simples.zip"] < size


def test_a_part_of_another_version_is_not_resumed(share: FakeShare, tmp_path: Path) -> None:
    share.faults["Simples.zip"] = [Fault(break_after=1000)]
    share.always["Simples.zip"] = Fault(status=503)
    reasons_of(share, tmp_path / "into")
    del share.always["Simples.zip"]
    (share.folder / "2026-10" / "Simples.zip").write_bytes(a_zip(3030, "another"))
    assert_whole(bring_in(share, tmp_path / "into"), share)


@pytest.mark.parametrize("note", [b"", b"[]", b"{", b"\xff", b'{"size": 1}'])
def test_a_part_whose_note_is_unreadable_is_begun_anew(note: bytes, share: FakeShare, tmp_path: Path) -> None:
    (tmp_path / "into").mkdir()
    (tmp_path / "into" / "Simples.zip.part").write_bytes(b"not of this file")
    (tmp_path / "into" / "Simples.zip.json").write_bytes(note)
    assert_whole(bring_in(share, tmp_path / "into"), share)


def test_a_file_cut_on_our_disk_is_brought_again(share: FakeShare, tmp_path: Path) -> None:
    bring_in(share, tmp_path / "into")
    (tmp_path / "into" / "Simples.zip").write_bytes(b"cut")
    (tmp_path / "into" / "Socios0.zip").write_bytes(b"longer" * 1000)
    assert_whole(bring_in(share, tmp_path / "into"), share)


def test_without_any_sign_of_a_version_all_is_brought_again(share: FakeShare, tmp_path: Path) -> None:
    share.versions = ""
    bring_in(share, tmp_path / "into")
    (share.folder / "2026-10" / "Socios1.zip").write_bytes(
        (share.folder / "2026-10" / "Socios1.zip").read_bytes().replace(b"MEMBER", b"MEMBRE")
    )
    assert_whole(bring_in(share, tmp_path / "into"), share)


@pytest.mark.parametrize(("versions", "resumed"), [("etag", True), ("date", True), ("", False)])
def test_a_rest_is_asked_for_only_where_versions_are_known(
    versions: str, resumed: bool, share: FakeShare, tmp_path: Path
) -> None:
    share.versions = versions
    share.faults["Simples.zip"] = [Fault(break_after=1000)]
    assert_whole(bring_in(share, tmp_path / "into"), share)
    asked = [request for request in share.requests if request[1] == "Simples.zip"]
    assert asked == [("GET", "Simples.zip", None), ("GET", "Simples.zip", "bytes=1000-" if resumed else None)]


def test_a_disk_too_small_is_reported_before_anything_is_downloaded(share: FakeShare, tmp_path: Path) -> None:
    share.listed["Estabelecimentos0.zip"] = 10**14
    (fault,) = reasons_of(share, tmp_path / "into", QUICK)
    assert fault.startswith("the download needs 100,000,000 MB more on the disk")
    assert {method for method, *_ in share.requests} == {"PROPFIND"}
