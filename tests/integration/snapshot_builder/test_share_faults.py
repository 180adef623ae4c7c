"""A share that misbehaves: passing faults are retried, lasting ones reported in a line."""

import shutil
from dataclasses import replace
from email.utils import formatdate
from itertools import pairwise
from time import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brskills_server.snapshot_builder.sources.fetch import CONNECTIONS, fetch
from brskills_server.snapshot_builder.sources.month import NAMES
from tests.integration.snapshot_builder.quick import QUICK, Downloads
from tests.register.months import a_zip
from tests.register.share import TOKEN, Fault

FILE = "Socios4.zip"
AGAIN = "given up after 4 attempts without progress: "
STILL = " (still so after 5 listings)"
BROKEN_OFF = f"{AGAIN}the connection broke off, or it is not HTTP"
ELSEWHERE = "redirects elsewhere; only its own scheme, host and port are followed"
SENT_OTHERWISE = f"is listed with {{}} bytes, but sent with another size{STILL}"

PASSING = [
    Fault(stall_after=0),
    Fault(stall_after=1500),
    Fault(break_after=0),
    Fault(break_after=2999),
    Fault(body=b"PK", chunked=True),
    Fault(status=429, retry_after="0"),
    Fault(status=429, retry_after=formatdate(time() - 5, usegmt=True)),
    Fault(status=429, retry_after="soon"),
    Fault(status=503),
    Fault(status=423),
    Fault(page=True),
    Fault(status=404),
    Fault(etag='"another"'),
    Fault(announces=-100),
    Fault(announces=100),
    Fault(body=b"x" * 9000, chunked=True),
    Fault(chunked=True),
    Fault(becomes=a_zip(3000, "another")),
    Fault(break_after=1000, becomes=a_zip(3000, "another")),
    Fault(break_after=1000, becomes=a_zip(3500, "another")),
]
LASTING = {
    "stalls": (Fault(stall_after=0), f"{AGAIN}not a byte for 0.4 s"),
    "trickles": (Fault(trickle=0.02), f"{AGAIN}fewer than 200 bytes a second for 0.5 s"),
    "breaks off": (Fault(break_after=0), BROKEN_OFF),
    "answers 500": (Fault(status=500), f"{AGAIN}answers 500"),
    "a page": (Fault(page=True), f"{AGAIN}answers a page instead of the file"),
    "is not there": (Fault(status=404), f"is listed, but answers 404{STILL}"),
    "another version": (Fault(etag='"a"'), f"is sent in another version than the one listed{STILL}"),
    "refuses": (Fault(status=403), "refuses (403): the token or password is missing or not right"),
    "odd": (Fault(status=418), "answers 418"),
    "compressed": (Fault(compressed=True), "answers compressed, which was not requested"),
    "redirects": (Fault(redirect="http://user:secret@localhost/x"), ELSEWHERE),
    "redirects in circles": (Fault(redirect=""), "redirects without end"),
    "asks to wait too long": (Fault(status=429, retry_after="3601"), "answers 429 and asks to wait 3601 s"),
    "the same bytes again": (Fault(break_after=100, ignores_range=True), BROKEN_OFF),
}
NO_SHARE = (
    " and not a WebDAV listing (207): it is no Nextcloud share or WebDAV folder."
    " Download the files, and give their folder"
)
LISTINGS = {
    "a page": (Fault(page=True), f"answers 200{NO_SHARE}"),
    "not XML": (Fault(body=b"\x00"), "answers something that is not a WebDAV listing"),
    "endless": (Fault(endless=True), "the listing is longer than 4194304 bytes"),
    "silent": (Fault(stall_after=10), f"{AGAIN}not a byte for 0.4 s"),
    "answers 503": (Fault(status=503), f"{AGAIN}answers 503"),
    "has no such method": (Fault(status=405), f"answers 405{NO_SHARE}"),
    "has not implemented it": (Fault(status=501), f"answers 501{NO_SHARE}"),
    "redirects": (Fault(redirect="https://127.0.0.1/"), ELSEWHERE),
    "a redirect to no host": (Fault(redirect="http://xn--a/"), "redirects to an address that is not valid"),
    "a redirect to nowhere": (Fault(status=302), "redirects without a target"),
    "an odd redirect": (Fault(redirect="http://a:b:c/"), "redirects to an address that is not valid"),
}


def size(downloads: Downloads) -> int:
    return (downloads.share.folder / "2026-10" / FILE).stat().st_size


def test_passing_faults_do_no_harm(downloads: Downloads) -> None:
    share = downloads.share
    share.faults.update({name: [fault] for name, fault in zip(NAMES, PASSING, strict=False)})
    share.faults[""] = [Fault(status=503), Fault(break_after=9)]
    downloads.assert_whole(listings=len(PASSING))
    assert not any(share.faults.values())


@pytest.mark.parametrize(("fault", "reason"), LASTING.values(), ids=LASTING)
def test_lasting_faults_of_a_file_are_reported(fault: Fault, reason: str, downloads: Downloads) -> None:
    downloads.share.always[FILE] = fault
    assert downloads.reasons() == (f"{FILE}: {reason}",)


@pytest.mark.parametrize("case", LISTINGS)
def test_lasting_faults_of_a_listing_are_reported(case: str, downloads: Downloads) -> None:
    (fault, reason), where = LISTINGS[case], ("", "2026-10")[[*LISTINGS].index(case) % 2]
    downloads.share.always[where] = fault
    assert downloads.reasons() == (f"{where or 'the share'}: {reason}",)


@pytest.mark.parametrize(
    ("by", "fault", "reason"),
    [
        (-1000, Fault(), SENT_OTHERWISE),
        (1000, Fault(), SENT_OTHERWISE),
        (1, Fault(chunked=True, break_after=300), SENT_OTHERWISE),  # seen when it is resumed
        (-1000, Fault(chunked=True), "is sent with more than the {} bytes listed" + STILL),
        (1, Fault(chunked=True, ignores_range=True), AGAIN + "ended after {here} of {} bytes"),
    ],
)
def test_another_size_than_listed_is_reported(
    by: int, fault: Fault, reason: str, downloads: Downloads
) -> None:
    here = size(downloads)
    downloads.share.listed[FILE] = here + by
    downloads.share.always[FILE] = fault
    assert downloads.reasons() == (f"{FILE}: {reason.format(here + by, here=here)}",)
    assert by > 0 or not list(downloads.into.glob(f"{FILE}*part"))


def test_a_stalled_download_is_resumed_where_it_stopped(downloads: Downloads) -> None:
    downloads.share.faults[FILE] = [Fault(stall_after=1200), Fault(break_after=300), Fault(break_after=0)]
    downloads.assert_whole()
    assert downloads.requests(FILE) == [None, "bytes=1200-", "bytes=1500-", "bytes=1500-"]
    assert downloads.share.sent[FILE] == size(downloads)


def test_every_progress_resets_the_attempts(downloads: Downloads) -> None:
    downloads.share.always[FILE] = Fault(break_after=300)
    downloads.assert_whole()
    assert len(downloads.requests(FILE)) > 10 > QUICK.attempts


@pytest.mark.parametrize(("fault", "further"), [(Fault(ignores_range=True), []), (Fault(skips=10), [None])])
def test_another_range_than_requested_is_not_appended(
    fault: Fault, further: list[None], downloads: Downloads
) -> None:
    downloads.share.faults[FILE] = [Fault(break_after=2000), fault]
    downloads.assert_whole()
    assert downloads.requests(FILE) == [None, "bytes=2000-", *further]


def test_a_month_that_does_not_settle_is_reported(downloads: Downloads) -> None:
    downloads.share.faults[FILE] = [Fault(becomes=a_zip(3000, turn)) for turn in range(9)]
    assert downloads.reasons() == (f"the files have changed on the share while they were downloaded{STILL}",)


def test_a_file_that_is_not_a_zip_is_reported(downloads: Downloads) -> None:
    (downloads.share.folder / "2026-10" / FILE).write_bytes(b"PK\x03\x04" * 500)
    assert downloads.reasons() == (f"{FILE}: arrived with all its bytes, but is not a readable zip",)
    assert not list(downloads.into.glob(f"{FILE}*part"))


def test_the_requested_wait_is_respected(downloads: Downloads) -> None:
    downloads.share.faults[FILE] = [Fault(status=429, retry_after="1")]
    times: list[float] = []
    downloads.share.heard = lambda name: times.append(time()) if name == FILE else None
    downloads.assert_whole()
    assert times[1] - times[0] >= 1


def test_a_redirect_within_the_share_is_followed(downloads: Downloads) -> None:
    host, folder = downloads.share.host, f"/public.php/dav/files/{TOKEN}/"
    downloads.share.faults[""] = [Fault(redirect=f"http://x:y@{host}{folder}")]
    downloads.share.faults[FILE] = [Fault(redirect=f"{folder}2026-10/{FILE}")]
    downloads.assert_whole()


def test_a_share_with_one_connection_is_used_with_that(downloads: Downloads) -> None:
    """The download whose connection is refused must not give up while the other one progresses."""
    downloads.share.most = 1
    downloads.share.always = {f"Empresas{n}.zip": Fault(break_after=150) for n in "01"}
    downloads.assert_whole(attempts=12)
    assert downloads.share.most_seen <= 2


def test_a_listing_that_takes_too_long_is_reported(downloads: Downloads) -> None:
    downloads.share.always[""] = Fault(stall_after=10)
    assert downloads.reasons(silence=60, listing=0.2, attempts=2) == (
        "the share: given up after 2 attempts without progress: the listing was not whole after 0.2 s",
    )


def test_while_nothing_arrives_reports_are_repeated(downloads: Downloads) -> None:
    reports: list[tuple[int, int]] = []
    downloads.share.faults[FILE] = [Fault(stall_after=10)]
    downloads.share.faults[""] = [Fault(stall_after=10)]
    limits = replace(QUICK, report=0.05)
    fetch(downloads.share.page, downloads.into, lambda *counts: reports.append(counts), limits)
    assert reports[:3] == [(0, 0)] * 3
    repeated = [counts for counts, before in pairwise(reports) if counts == before and counts[1]]
    assert len(repeated) >= 3


def test_a_download_without_end_is_ended_and_resumed(downloads: Downloads) -> None:
    downloads.share.always[FILE] = Fault(trickle=0.02)
    reason = "not whole after 0.0005 h: what has arrived is kept for the next run"
    assert downloads.reasons(whole=1.8, least_rate=0) == (reason,)
    here = (downloads.into / f"{FILE}.part").stat().st_size
    assert here > 10
    downloads.share.always.clear()
    downloads.assert_whole()
    assert downloads.requests(FILE) == [None, f"bytes={here}-"]


def test_a_share_that_cannot_be_reached_is_reported(downloads: Downloads) -> None:
    (reason,) = downloads.reasons("http://127.0.0.1:9/index.php/s/token")
    assert reason.startswith(f"the share: {AGAIN}no connection")


def test_a_folder_that_cannot_be_written_is_reported(downloads: Downloads) -> None:
    downloads.into.write_bytes(b"")
    assert downloads.reasons() == ("the download cannot be written: File exists",)


FILES = ("Empresas0.zip", "Estabelecimentos9.zip", "Simples.zip")
POSITIONS = st.integers(0, 3500)
BREAKS = st.one_of(
    st.builds(Fault, break_after=POSITIONS, ignores_range=st.booleans(), chunked=st.booleans()),
    st.builds(Fault, break_after=POSITIONS, becomes=st.builds(a_zip, st.integers(10, 3200), st.integers())),
    st.builds(Fault, status=st.sampled_from([429, 500, 503])),
)


@settings(
    max_examples=settings.default.max_examples // 10,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(faults=st.fixed_dictionaries({name: st.lists(BREAKS, max_size=3) for name in FILES}))
def test_any_sequence_of_breaks_ends_in_identical_bytes(
    faults: dict[str, list[Fault]], downloads: Downloads
) -> None:
    shutil.rmtree(downloads.into, ignore_errors=True)
    downloads.share.faults.update({name: list(of_one) for name, of_one in faults.items()})
    # Nine breaks, of which any may make no progress, and three changes of three files.
    downloads.assert_whole(attempts=10, listings=10)
    assert downloads.share.most_seen <= CONNECTIONS
