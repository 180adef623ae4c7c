"""A share that misbehaves: what passes is waited out, what does not is said in a line."""

from __future__ import annotations

from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from time import time

import pytest

from brskills_server.snapshot_builder.sources.month import NAMES
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy
from tests.integration.snapshot_builder.quick import QUICK, assert_whole, bring_in, reasons_of
from tests.register.months import a_zip
from tests.register.share import FakeShare, Fault

FILE = "Socios4.zip"


def size(share: FakeShare) -> int:
    return (share.folder / "2026-10" / FILE).stat().st_size


def ranges(share: FakeShare) -> list[str | None]:
    return [range_ for _, name, range_ in share.requests if name == FILE]


PASSING = {
    "stalls before a byte": Fault(stall_after=0),
    "stalls": Fault(stall_after=1500),
    "breaks off before a byte": Fault(break_after=0),
    "breaks off": Fault(break_after=2999),
    "ends early": Fault(body=b"PK", chunked=True),
    "answers 429": Fault(status=429, retry_after="0"),
    "answers 429 with a date": Fault(status=429, retry_after=formatdate(time() - 5, usegmt=True)),
    "answers 429 with nonsense": Fault(status=429, retry_after="soon"),
    "answers 503": Fault(status=503),
    "answers 423": Fault(status=423),
    "a page": Fault(page=True),
    "not there for a moment": Fault(status=404),
    "sends another version for a moment": Fault(etag='"another"'),
    "announces fewer bytes": Fault(announces=-100),
    "announces more bytes": Fault(announces=100),
    "sends more bytes": Fault(body=b"x" * 9000, chunked=True),
    "without a length": Fault(chunked=True),
}


def test_faults_that_pass_do_no_harm(share: FakeShare, tmp_path: Path) -> None:
    share.faults.update({name: [fault] for name, fault in zip(NAMES, PASSING.values(), strict=False)})
    assert_whole(bring_in(share, tmp_path / "into", replace(QUICK, listings=len(PASSING))), share)
    assert not any(share.faults.values())


LASTING = {
    "stalls": (Fault(stall_after=0), "given up after 4 attempts without progress: not a byte for 0.4 s"),
    "breaks off": (
        Fault(break_after=0),
        "given up after 4 attempts without progress: the connection broke off, or it is not HTTP",
    ),
    "answers 500": (Fault(status=500), "given up after 4 attempts without progress: answers 500"),
    "a page": (
        Fault(page=True),
        "given up after 4 attempts without progress: answers a page instead of the file",
    ),
    "is not there": (Fault(status=404), "is listed, but answers 404 (still so after 5 listings)"),
    "another version": (
        Fault(etag='"another"'),
        "is sent in another version than the one listed (still so after 5 listings)",
    ),
    "refuses": (Fault(status=403), "refuses (403): the token or password is missing or not right"),
    "odd": (Fault(status=418), "answers 418"),
    "compressed": (Fault(compressed=True), "answers compressed, which was not requested"),
    "redirects": (
        Fault(redirect="http://user:secret@localhost/x"),
        "redirects elsewhere; only its own scheme, host and port are followed",
    ),
    "redirects in circles": (Fault(redirect=""), "redirects without end"),
    "asks to wait too long": (Fault(status=429, retry_after="3601"), "answers 429 and asks to wait 3601 s"),
}


@pytest.mark.parametrize(("fault", "said"), LASTING.values(), ids=LASTING)
def test_lasting_faults_end_with_their_reason(
    fault: Fault, said: str, share: FakeShare, tmp_path: Path
) -> None:
    share.always[FILE] = fault
    assert reasons_of(share, tmp_path / "into") == (f"{FILE}: {said}",)


@pytest.mark.parametrize("by", [-1000, 1000])
def test_a_size_that_lasts_to_be_another_than_listed_is_an_error(
    by: int, share: FakeShare, tmp_path: Path
) -> None:
    listed = share.listed[FILE] = size(share) + by
    said = f"{FILE}: is listed with {listed} bytes, but sent with another size (still so after 5 listings)"
    assert reasons_of(share, tmp_path / "into") == (said,)


def test_a_file_that_is_longer_than_listed_and_does_not_say_so_is_an_error(
    share: FakeShare, tmp_path: Path
) -> None:
    share.listed[FILE] = 500
    share.always[FILE] = Fault(chunked=True)
    said = f"{FILE}: is sent with more than the 500 bytes listed (still so after 5 listings)"
    assert reasons_of(share, tmp_path / "into") == (said,)
    assert not list((tmp_path / "into").glob(f"{FILE}*part"))


def test_a_file_that_is_shorter_than_listed_is_given_up(share: FakeShare, tmp_path: Path) -> None:
    here = size(share)
    share.listed[FILE] = here + 1
    share.always[FILE] = Fault(chunked=True, ignores_range=True)
    said = f"{FILE}: given up after 4 attempts without progress: ended after {here} of {here + 1} bytes"
    assert reasons_of(share, tmp_path / "into") == (said,)


def test_what_stalls_is_resumed_where_it_stopped(share: FakeShare, tmp_path: Path) -> None:
    share.faults[FILE] = [Fault(stall_after=1200), Fault(break_after=300), Fault(stall_after=0)]
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert ranges(share) == [None, "bytes=1200-", "bytes=1500-", "bytes=1500-"]
    assert share.sent[FILE] == size(share)


def test_every_progress_resets_the_attempts(share: FakeShare, tmp_path: Path) -> None:
    share.always[FILE] = Fault(break_after=100)
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert len(ranges(share)) > 30 > QUICK.attempts


def test_the_same_bytes_again_are_not_progress(share: FakeShare, tmp_path: Path) -> None:
    share.always[FILE] = Fault(break_after=100, ignores_range=True)
    (said,) = reasons_of(share, tmp_path / "into")
    assert said.startswith(f"{FILE}: given up after 4 attempts without progress")


def test_a_server_that_ignores_ranges_is_asked_for_all(share: FakeShare, tmp_path: Path) -> None:
    share.faults[FILE] = [Fault(break_after=2000), Fault(ignores_range=True)]
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert share.sent[FILE] == 2000 + size(share)


def test_another_range_than_asked_for_is_not_put_behind_the_rest(share: FakeShare, tmp_path: Path) -> None:
    share.faults[FILE] = [Fault(break_after=2000), Fault(skips=10)]
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert ranges(share) == [None, "bytes=2000-", None]


@pytest.mark.parametrize("longer", [0, 500])
def test_a_file_that_changes_while_it_comes_is_begun_anew(
    longer: int, share: FakeShare, tmp_path: Path
) -> None:
    share.faults[FILE] = [Fault(break_after=1000, becomes=a_zip(3000 + longer, "another"))]
    assert_whole(bring_in(share, tmp_path / "into"), share)


def test_a_file_that_changes_after_it_came_is_brought_again(share: FakeShare, tmp_path: Path) -> None:
    share.faults[FILE] = [Fault(becomes=a_zip(3000, "another"))]
    assert_whole(bring_in(share, tmp_path / "into"), share)


def test_what_is_cancelled_for_a_change_leaves_nothing_that_others_wait_for(
    share: FakeShare, tmp_path: Path
) -> None:
    share.always[FILE] = Fault(etag='"another"')
    said = f"{FILE}: is sent in another version than the one listed (still so after 25 listings)"
    assert reasons_of(share, tmp_path / "into", replace(QUICK, listings=25)) == (said,)


def test_a_month_that_does_not_settle_is_given_up(share: FakeShare, tmp_path: Path) -> None:
    share.faults[FILE] = [Fault(becomes=a_zip(3000, turn)) for turn in range(9)]
    assert reasons_of(share, tmp_path / "into") == (
        "the files have changed on the share while they were downloaded (still so after 5 listings)",
    )


def test_a_file_of_the_right_length_that_is_not_a_zip_is_an_error(share: FakeShare, tmp_path: Path) -> None:
    (share.folder / "2026-10" / FILE).write_bytes(b"PK\x03\x04" * 500)
    assert reasons_of(share, tmp_path / "into") == (
        f"{FILE}: arrived with all its bytes, but is not a readable zip",
    )
    assert not list((tmp_path / "into").glob(f"{FILE}*part"))


def test_the_requested_wait_is_respected(share: FakeShare, tmp_path: Path) -> None:
    share.faults[FILE] = [Fault(status=429, retry_after="1")]
    asked: list[float] = []
    share.heard = lambda name: asked.append(time()) if name == FILE else None
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert asked[1] - asked[0] >= 1


def test_a_redirect_within_the_share_is_followed(share: FakeShare, tmp_path: Path) -> None:
    share.faults[""] = [Fault(redirect=f"http://x:y@{share.host}/public.php/dav/files/aTokenOfTheseTests/")]
    share.faults[FILE] = [Fault(redirect=f"/public.php/dav/files/aTokenOfTheseTests/2026-10/{FILE}")]
    assert_whole(bring_in(share, tmp_path / "into"), share)


def test_a_share_that_refuses_further_connections_is_used_with_those_it_allows(
    share: FakeShare, tmp_path: Path
) -> None:
    share.most = 1
    # Longer in all than one file's attempts last, so that the one that is refused must not give up on them.
    share.always = {"Empresas0.zip": Fault(break_after=150), "Empresas1.zip": Fault(break_after=150)}
    assert_whole(bring_in(share, tmp_path / "into"), share)
    assert share.most_seen <= 2


LISTINGS = {
    "a page": (Fault(page=True), "answers 200 and not a WebDAV listing (207)"),
    "not XML": (Fault(body=b"\x00"), "answers something that is not a WebDAV listing"),
    "endless": (Fault(endless=True), "the listing is longer than 4194304 bytes"),
    "silent": (Fault(stall_after=10), "given up after 4 attempts without progress: not a byte for 0.4 s"),
    "answers 503": (Fault(status=503), "given up after 4 attempts without progress: answers 503"),
    "redirects": (
        Fault(redirect="https://127.0.0.1/"),
        "redirects elsewhere; only its own scheme, host and port are followed",
    ),
    "a redirect to no host": (Fault(redirect="http://xn--a/"), "redirects to an address that is not valid"),
    "a redirect to nowhere": (Fault(status=302), "redirects without a target"),
    "an odd redirect": (
        Fault(redirect="http://a:b:c/"),
        "given up after 4 attempts without progress: the connection broke off, or it is not HTTP",
    ),
}


@pytest.mark.parametrize("case", LISTINGS)
def test_a_listing_that_cannot_be_read_is_named(case: str, share: FakeShare, tmp_path: Path) -> None:
    (fault, said), where = LISTINGS[case], ("", "2026-10")[[*LISTINGS].index(case) % 2]
    share.always[where] = fault
    assert reasons_of(share, tmp_path / "into") == (f"{where or 'the share'}: {said}",)


def test_a_listing_that_takes_too_long_is_given_up(share: FakeShare, tmp_path: Path) -> None:
    share.always[""] = Fault(stall_after=10)
    retry_policy = RetryPolicy(
        connect=5, silence=60, listing=0.3, attempts=2, first_wait=0.01, longest_wait=0.01
    )
    assert reasons_of(share, tmp_path / "into", retry_policy) == (
        "the share: given up after 2 attempts without progress: the listing was not whole after 0.3 s",
    )


def test_a_listing_that_fails_a_few_times_is_waited_for(share: FakeShare, tmp_path: Path) -> None:
    share.faults[""] = [Fault(status=503), Fault(stall_after=20), Fault(break_after=9)]
    assert_whole(bring_in(share, tmp_path / "into"), share)


def test_a_share_that_is_not_there_is_reported(share: FakeShare, tmp_path: Path) -> None:
    (said,) = reasons_of(share, tmp_path / "into", source="http://127.0.0.1:9/index.php/s/token")
    assert said.startswith("the share: given up after 4 attempts without progress: no connection")


def test_a_folder_that_cannot_be_written_is_reported(share: FakeShare, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert reasons_of(share, tmp_path / "file") == ("the download cannot be written: File exists",)
