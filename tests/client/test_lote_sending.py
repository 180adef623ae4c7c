"""Runs of ``brskills lote``: after any failure every number is answered and counted once."""

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

from brskills import AsyncClient, InvalidFields, InvalidKey, QuotaExceeded, UncountedLimit
from brskills.command.language import texts_in
from brskills.lote import journal as journal_module
from brskills.lote import sending as sending_module
from brskills.lote.companies import Companies
from brskills.lote.journal import Answer, Journal, JournalLocked, JournalMismatch
from brskills.lote.pix_codes import PixCodes
from brskills.lote.sending import BatchSender
from brskills.lote.table import Table
from tests.client import batches as batches_module
from tests.client.answering import KEY, URL, Service, problem
from tests.client.batches import FAULTS, Batches, Killed
from tests.register.digits import cnpj_digits

NUMBERS = [body + cnpj_digits(body) for body in (f"{n:08d}0001" for n in range(1, 401))]
RUN = {"input": "1"}
TABLE = Table(("cnpj",), (), ";", "1")
COMPANIES = Companies(TABLE, 0, texts_in("en"), {})
FIELDS = {"chave": 0, "nome_recebedor": 1, "cidade": 2, "txid": 3}
CODES = PixCodes(FIELDS, texts_in("en"), "en")
CHARGES = [str(CODES.item(("a@example.com", "A", "B", f"T{n}")).key) for n in range(40)]


@pytest.fixture(autouse=True)
def _no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit without waiting for the disk: a kill is an exception here."""
    monkeypatch.setattr(journal_module, "_TABLES", f"PRAGMA synchronous=OFF;{journal_module._TABLES}")


@contextmanager
def no_waits() -> Iterator[None]:
    rest = asyncio.sleep

    async def pass_on(_seconds: float) -> None:
        await rest(0)

    with mock.patch("asyncio.sleep", pass_on):
        yield


def run(path: Path, service: httpx.MockTransport, items: list[str], rounds: int = 30) -> BatchSender:
    """Send the items. Raise `Killed` if a fault kills it."""
    with closing(Journal(path, RUN)) as journal:
        client = AsyncClient(KEY, URL, retries=0, transport=service)
        sender = BatchSender(client, journal, CODES if items[0] in CHARGES else COMPANIES)
        known = journal.answers()
        left = [item for item in items if item not in known]
        try:
            with no_waits():
                asyncio.run(sender.run(left, rounds, lambda _count: None))
        except* Killed:
            raise Killed from None
    return sender


def run_until_done(path: Path, batches: Batches, items: list[str]) -> None:
    """Restart after each kill until all is answered."""
    for _ in range(100):
        with suppress(Killed):
            if not run(path, httpx.MockTransport(batches), items).failure:
                return
    raise AssertionError("it never ends")


def read_journal(path: Path) -> tuple[dict[str, Answer], int]:
    with closing(Journal(path, RUN)) as journal:
        return journal.answers(), journal.calls()


@pytest.mark.parametrize("all_items", [NUMBERS, CHARGES], ids=["companies", "codes"])
@settings(max_examples=settings.default.max_examples // 3)
@given(st.lists(st.sampled_from(FAULTS), max_size=25), st.integers(1, 40))
def test_each_item_is_answered_and_counted_once(all_items: list[str], faults: list[str], count: int) -> None:
    batches = Batches(faults)
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(sending_module, "BATCH_SIZE", 4):
        path = Path(folder, "j")
        run_until_done(path, batches, all_items[:count])
        answers, calls = read_journal(path)
    assert set(answers) == set(all_items[:count])
    assert batches.calls == calls == count


def test_quota_ends_a_run_and_a_later_run_continues(tmp_path: Path) -> None:
    batches = Batches(room=250)
    lookup = run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS)
    assert isinstance(lookup.quota, QuotaExceeded)
    assert lookup.resets_at == datetime(2026, 12, 1, 3, tzinfo=UTC)
    answers, calls = read_journal(tmp_path / "j")
    assert len(answers) == calls == batches.calls == 250
    batches.room = 10_000
    assert run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS).quota is None
    answers, calls = read_journal(tmp_path / "j")
    assert len(answers) == calls == batches.calls == 400


def test_unanswered_numbers_are_left_after_the_last_round(tmp_path: Path) -> None:
    batches = Batches(["half silent"] * 100)
    lookup = run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS[:8], rounds=2)
    assert (lookup.quota, lookup.failure) == (None, None)
    assert len(read_journal(tmp_path / "j")[0]) == 6  # 4 of 8, then 2 of the 4 that were left


def test_an_allowance_of_a_month_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches_module, "UNANSWERED", {"limited": (429, "uncounted_limit", 900_000)})
    batches = Batches(["half limited"] * 100)
    lookup = run(tmp_path / "j", httpx.MockTransport(batches), NUMBERS[:8])
    assert isinstance(lookup.failure, UncountedLimit)
    assert len(read_journal(tmp_path / "j")[0]) == 4  # of one round


def test_invalid_key_ends_the_run_at_once(tmp_path: Path) -> None:
    service = Service(problem(401, "invalid_api_key"))
    with pytest.raises(InvalidKey):
        run(tmp_path / "j", service.transport, NUMBERS)
    assert len(service.requests) <= 4


def test_expired_batch_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        batch = journal.plan(NUMBERS[:2])
        assert [each.key for each in journal.open_batches()] == [batch.key]
        monkeypatch.setattr("time.time", lambda: 4e9)
        assert journal.open_batches() == []


def test_journal_has_one_process_and_one_run(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        with pytest.raises(JournalLocked):
            Journal(tmp_path / "j", RUN)
        journal.plan(NUMBERS[:2])
    with pytest.raises(JournalMismatch):
        Journal(tmp_path / "j", {"input": "2"})


def test_journal_without_batches_accepts_another_run(tmp_path: Path) -> None:
    refuse = httpx.MockTransport(lambda _request: problem(422, "invalid_fields", errors=[]))
    with pytest.raises(InvalidFields):
        run(tmp_path / "j", refuse, NUMBERS)
    Journal(tmp_path / "j", {"input": "2"}).close()
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        journal.plan(NUMBERS[:2])


def test_rejected_retry_keeps_its_batch(tmp_path: Path) -> None:
    with suppress(Killed):
        run(tmp_path / "j", httpx.MockTransport(Batches(["killed after"])), NUMBERS[:2])
    refuse = httpx.MockTransport(lambda _request: problem(401, "invalid_api_key"))
    with pytest.raises(InvalidKey):
        run(tmp_path / "j", refuse, NUMBERS[:2])
    with closing(Journal(tmp_path / "j", RUN)) as journal:
        assert len(journal.open_batches()) == 1
