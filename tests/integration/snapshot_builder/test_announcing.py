"""Feeds of watched companies, compared with the records of the months that were published."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf
from pathlib import Path

import pytest

from brskills_server.adapters.snapshots.folder_history import HISTORY
from brskills_server.adapters.stores import AccessStore
from brskills_server.watches import announcing
from brskills_server.watches.watch import KEPT_SECONDS, Announcement, Change, Watch
from tests.integration.snapshot_builder.announced import ACCOUNTS, NOW, NOWHERE, World, truth
from tests.integration.snapshot_builder.building import DAY, LATER_DAY, NEXT_DAY, build, make_copy, publish
from tests.integration.snapshot_builder.test_history import changed, numbers_of
from tests.register.company import companies
from tests.register.defects import ALL
from tests.register.files import Month


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "PAGE", 60)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> list[Month]:
    """Publish three months with every kind of change, companies gone, new and back, and unreadable rows."""
    folder, registered = tmp_path_factory.mktemp("published"), list(companies(31, 90))
    second = changed(registered, 1)
    lost = {second[50].root: ALL["cut_off:Estabelecimentos"]}
    return [
        publish(folder / "1", registered[:80], DAY),
        publish(folder / "2", second[10:], NEXT_DAY, lost),
        publish(folder / "3", changed(second, 2), LATER_DAY),
    ]


@pytest.fixture(scope="module")
def first(published: list[Month], tmp_path_factory: pytest.TempPathFactory) -> World:
    """Build the first month, watch every number, and announce it; not to be changed."""
    folder = tmp_path_factory.mktemp("first")
    world = World(folder / "copy", folder / "brskills.db")
    build(world.folder, published[0].folder)
    world.watch(sorted({*numbers_of(published), *NOWHERE}))
    world.announce()
    return world


@pytest.fixture(scope="module")
def second(published: list[Month], first: World, tmp_path_factory: pytest.TempPathFactory) -> World:
    """Build the second month there, not yet announced; not to be changed."""
    world = copied(first, tmp_path_factory.mktemp("second"))
    build(world.folder, published[1].folder)
    return world


def copied(world: World, to: Path) -> World:
    copy = World(shutil.copytree(world.folder, to / "copy"), to / "brskills.db")
    for file in world.file.parent.glob("brskills.db*"):
        shutil.copy(file, to)
    return copy


@pytest.fixture
def world(second: World, tmp_path: Path) -> World:
    return copied(second, tmp_path)


def announcement(world: World) -> Announcement:
    found = world.store().read_announcement()
    assert found is not None
    return found


def test_a_first_month_says_nothing(first: World) -> None:
    assert first.feed() == []
    assert announcement(first).target == ""


def test_feeds_say_what_the_records_of_each_month_say(world: World, published: list[Month]) -> None:
    world.announce()
    assert world.entries() == truth(published[:2])
    before = announcement(world)
    world.announce()
    assert announcement(world) == before
    build(world.folder, published[2].folder)
    world.announce()
    assert world.entries() == truth(published)
    assert {one["campo"] for one in every_change(world)} >= {"registro", "socios", "endereco"}


def every_change(world: World) -> Iterator[dict[str, object]]:
    return (change for one in world.feed() for change in one.changes)


def test_months_that_were_not_announced_in_time_are_said_one_by_one(
    world: World, published: list[Month]
) -> None:
    build(world.folder, published[2].folder)
    world.announce()
    assert world.entries() == truth(published)


def test_two_months_put_in_place_before_the_first_is_noted(published: list[Month], tmp_path: Path) -> None:
    world = World(tmp_path / "copy", tmp_path / "brskills.db")
    world.watch(numbers_of(published))
    world.announce()  # there is no month yet
    for month in published[:2]:
        build(world.folder, month.folder)
    world.announce()
    assert world.entries() == truth(published[:2])


def test_a_snapshot_that_changes_meanwhile_waits_until_the_former_is_announced(
    world: World, published: list[Month]
) -> None:
    for _ in range(3):
        assert not world.announcer().run(until=0)
    assert announcement(world).after > ("", "")
    build(world.folder, published[2].folder)
    world.announce()
    assert world.entries() == truth(published)


def test_a_rollback_says_nothing_nor_does_forward_again(world: World, published: list[Month]) -> None:
    for times in (1, 3):  # before the end of the comparison, and after it
        for _ in range(times):
            world.announcer().run(until=0)
        assert make_copy(world.folder, "rollback")[0] == 0
        world.announce()
        assert world.entries() == truth(published[:2])
        assert make_copy(world.folder, "rollback")[0] == 0
        world.announce()
        assert world.entries() == truth(published[:2])


def test_a_month_built_after_a_rollback_undoes_what_was_said(world: World, published: list[Month]) -> None:
    world.announce()
    said = len(world.feed())
    assert make_copy(world.folder, "rollback")[0] == 0
    world.announce()
    build(world.folder, published[2].folder)
    world.announce()
    first, second, third = (month.records() for month in published)
    lost = {cnpj for month in published for cnpj in month.lost}
    back, opened = first.keys() & third.keys() - second.keys(), second.keys() & third.keys() - first.keys()
    expected = {
        cnpj: found for cnpj, found in truth(published[1:]).items() if cnpj not in back | opened | lost
    }
    new = {"data_base": f"{LATER_DAY}", "campo": "registro", "de": None, "para": "novo"}
    expected |= {cnpj: [(f"{LATER_DAY}", [new])] for cnpj in back - lost}
    assert {cnpj: found for cnpj, found in world.entries(said).items() if cnpj not in lost} == expected
    assert back
    assert opened  # what else changed in these since the month that was undone is not known


def test_a_copy_built_anew_says_nothing_and_the_next_month_does(
    second: World, published: list[Month], tmp_path: Path
) -> None:
    world = copied(second, tmp_path)
    shutil.rmtree(world.folder)
    build(world.folder, published[1].folder)
    world.announce()
    assert world.feed() == []
    build(world.folder, published[2].folder)
    world.announce()
    assert world.entries() == truth(published[1:])


def test_a_history_that_is_lost_meanwhile_ends_the_comparison(world: World, published: list[Month]) -> None:
    for _ in range(3):
        world.announcer().run(until=0)
    said = world.feed()
    shutil.rmtree(world.folder / HISTORY)
    world.announce()
    assert world.feed() == said
    assert announcement(world).target == ""
    build(world.folder, published[2].folder)
    world.announce()
    assert world.entries(len(said)) == truth(published[1:])


class Killed(BaseException):
    """The end of a process."""


class Dying:
    """A store whose process ends at a write: before it, in the middle of it or after it."""

    def __init__(self, store: AccessStore, writes: int, moment: str) -> None:
        self._store = store
        self._left = writes
        self._moment = moment
        self.watches_of_all = store.watches_of_all
        self.read_announcement = store.read_announcement

    def add_changes(self, changes: Sequence[tuple[str, Change]], now: int, expires_at: int) -> None:
        self._left -= 1
        if not self._left:
            half = {"before": 0, "within": len(changes) // 2, "after": len(changes)}[self._moment]
            self._store.add_changes(changes[:half], now, expires_at)
            raise Killed
        self._store.add_changes(changes, now, expires_at)

    def write_announcement(self, following: Announcement) -> bool:
        self._left -= 1
        if not self._left:
            if self._moment == "after":
                self._store.write_announcement(following)
            raise Killed
        return self._store.write_announcement(following)


@pytest.mark.parametrize("moment", ["before", "within", "after"])
def test_whenever_it_is_killed_the_next_run_continues(
    second: World, published: list[Month], tmp_path: Path, moment: str
) -> None:
    writes, done = 0, False
    expected = truth(published[:2])
    while not done:
        writes += 1
        folder = tmp_path / f"{writes}"
        folder.mkdir()
        world = copied(second, folder)
        try:
            done = world.announcer(Dying(world.store(), writes, moment)).run(inf)  # type: ignore[arg-type]
        except Killed:
            world.announcer().run(inf)
        assert world.entries() == expected
    assert writes > 8


def test_several_at_once_say_everything_once(world: World, published: list[Month]) -> None:
    announcers = [world.announcer() for _ in range(4)]

    def run(one: announcing.Announcer) -> None:
        while not one.run(until=0):
            pass

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(run, announcers))
    world.announce()  # where all of them lost against another
    assert world.entries() == truth(published[:2])


def test_a_clock_that_jumps_changes_only_when_changes_expire(world: World, published: list[Month]) -> None:
    moments = iter([NOW, *(NOW + n * 86_400 * (-1) ** n for n in range(1, 200))])
    world.announcer(clock=lambda: next(moments)).run(inf)
    found = [one.change for one in world.store().list_changes(ACCOUNTS[0], 0, 9_999, 0)]
    assert {one.cnpj for one in found} == truth(published[:2]).keys()
    assert len(found) == len(truth(published[:2]))
    assert world.store().list_changes(ACCOUNTS[0], 0, 9_999, NOW + KEPT_SECONDS + 200 * 86_400) == []


def test_watches_that_began_later_are_left_out(world: World, published: list[Month]) -> None:
    numbers = sorted(truth(published[:2]))
    store = world.store()
    assert not world.announcer().run(until=0)
    for cnpj in numbers[::2]:
        store.end_watch(ACCOUNTS[0], cnpj)
        store.add_watches(ACCOUNTS[0], [Watch(cnpj, None, NOW + 1)], None)
    world.announce()
    assert sorted(one.cnpj for one in world.feed()) == numbers[1::2]


class Measuring:
    """A store that records how much is read and written at once."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store
        self.read_announcement = store.read_announcement
        self.write_announcement = store.write_announcement
        self.read: list[int] = []
        self.written: list[int] = []

    def watches_of_all(self, after: tuple[str, str], limit: int) -> list[tuple[str, Watch]]:
        page = self._store.watches_of_all(after, limit)
        self.read.append(len(page))
        return page

    def add_changes(self, changes: Sequence[tuple[str, Change]], now: int, expires_at: int) -> None:
        self.written.append(len(changes))
        self._store.add_changes(changes, now, expires_at)


def test_however_many_are_watched_a_page_is_in_memory_at_once(world: World, published: list[Month]) -> None:
    build(world.folder, published[2].folder)
    store = Measuring(world.store())
    world.announcer(store).run(inf)  # type: ignore[arg-type]
    assert sum(store.read) == 2 * len({*numbers_of(published), *NOWHERE})
    assert max(store.read) == announcing.PAGE
    assert max(store.written) <= announcing.PAGE * 2  # steps
    assert len(store.written) > 2
