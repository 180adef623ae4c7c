"""Whatever happens to a run, every number is answered once and paid once."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills import AsyncClient, InvalidFields, InvalidKey, QuotaExceeded
from brskills.lote import asking
from brskills.lote.asking import ProviderCaller
from brskills.lote.journal import Answer, Busy, Journal, OtherRun
from tests.client.answering import KEY, URL, problem
from tests.client.batches import FAULTS, Batches, Killed
from tests.register.digits import cnpj_digits

NUMBERS = [body + cnpj_digits(body) for body in (f"{n:08d}0001" for n in range(1, 1_001))]
RUN = {"input": "1"}


@contextmanager
def no_waits() -> Iterator[None]:
    rest = asyncio.sleep

    async def pass_on(_seconds: float) -> None:
        await rest(0)

    with mock.patch("asyncio.sleep", pass_on):
        yield


def run(path: Path, service: httpx.MockTransport, numbers: list[str], rounds: int = 30) -> ProviderCaller:
    """One run of the command's inner part; may end by ``Killed``."""
    with closing(Journal(path, RUN)) as journal:
        client = AsyncClient(KEY, URL, retries=0, transport=service)
        asker = ProviderCaller(client, journal, ";", lambda _count: None)
        left = [number for number in numbers if number not in journal.answers()]
        try:
            with no_waits():
                asyncio.run(asker.ask(left, rounds))
        except* Killed:
            raise Killed from None
    return asker


def run_until_done(path: Path, batches: Batches, numbers: list[str]) -> int:
    """Start again however often it is killed, or the service is gone; how many runs it took."""
    for runs in range(1, 100):
        asker = None
        with suppress(Killed):
            asker = run(path, httpx.MockTransport(batches), numbers)
        if asker and not asker.failure:
            return runs
    raise AssertionError("it never ends")


def kept(path: Path) -> tuple[dict[str, Answer], int]:
    with closing(Journal(path, RUN)) as journal:
        return journal.answers(), journal.calls()


@settings(max_examples=30)
@given(st.lists(st.sampled_from(FAULTS), max_size=25), st.integers(1, 40))
def test_every_number_is_answered_and_paid_once(faults: list[str], count: int) -> None:
    batches = Batches(iter(faults))
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(asking, "BATCH", 4):
        path = Path(folder, "j")
        run_until_done(path, batches, NUMBERS[:count])
        answers, calls = kept(path)
    assert set(answers) == set(NUMBERS[:count])
    assert batches.calls == calls == count


def test_a_batch_that_was_answered_to_nobody_is_sent_under_its_key(tmp_path: Path) -> None:
    batches = Batches(iter(["killed after"]))
    assert run_until_done(tmp_path / "j", batches, NUMBERS[:100]) == 2
    assert len(batches.counted) == 1


def test_a_month_without_room_ends_it_and_another_goes_on(tmp_path: Path) -> None:
    batches = Batches(iter(()), room=250)
    asker = run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS)
    assert isinstance(asker.quota, QuotaExceeded)
    assert asker.resets_at == datetime(2026, 12, 1, 3, tzinfo=UTC)
    answers, calls = kept(tmp_path / "j")
    assert len(answers) == calls == batches.calls == 250
    batches.room = 10_000
    assert run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS).quota is None
    answers, calls = kept(tmp_path / "j")
    assert len(answers) == calls == batches.calls == 1_000


def test_what_no_source_answers_is_left_after_so_many_rounds(tmp_path: Path) -> None:
    batches = Batches(iter(["half silent"] * 100))
    asker = run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS[:8], rounds=2)
    assert (asker.quota, asker.failure) == (None, None)
    assert len(kept(tmp_path / "j")[0]) == 6  # 4 of 8, then 2 of the 4 that were left


def test_a_key_that_is_not_valid_ends_it_at_once(tmp_path: Path) -> None:
    asked: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return problem(401, "invalid_api_key")

    with pytest.raises(InvalidKey):
        run(tmp_path / "j", httpx.MockTransport(refuse), NUMBERS)
    assert len(asked) <= 4


def test_a_batch_that_is_too_old_to_be_repeated_is_asked_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        batch = journal.plan(NUMBERS[:2])
        assert [each.key for each in journal.open_batches()] == [batch.key]
        monkeypatch.setattr("time.time", lambda: 4e9)
        assert journal.open_batches() == []


def test_a_journal_belongs_to_one_run_at_a_time(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        with pytest.raises(Busy):
            Journal(tmp_path / "j", RUN)
        journal.plan(NUMBERS[:2])
    with pytest.raises(OtherRun):
        Journal(tmp_path / "j", {"input": "2"})


def test_a_journal_in_which_nothing_was_sent_is_anybodys(tmp_path: Path) -> None:
    refuse = httpx.MockTransport(lambda _request: problem(422, "invalid_fields", errors=[]))
    with pytest.raises(InvalidFields):
        run(tmp_path / "j", refuse, NUMBERS)
    Journal(tmp_path / "j", {"input": "2"}).close()
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        journal.plan(NUMBERS[:2])


def test_a_refusal_of_what_may_have_been_counted_is_kept(tmp_path: Path) -> None:
    with suppress(Killed):
        run(tmp_path / "j", httpx.MockTransport(Batches(iter(["killed after"]))), NUMBERS[:2])
    refuse = httpx.MockTransport(lambda _request: problem(401, "invalid_api_key"))
    with pytest.raises(InvalidKey):
        run(tmp_path / "j", refuse, NUMBERS[:2])
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        assert len(journal.open_batches()) == 1


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("mine" * 500)
    with pytest.raises(OtherRun):
        Journal(tmp_path / "j", RUN)
    assert (tmp_path / "j").read_text() == "mine" * 500
