"""The contract of ``WatchStore``, for every adapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.runtime.transfer import move, restore
from brskills_server.watches.watch import Added, Announcement, Change, Watch

from .conftest import STORES

NOW = 1_795_000_000
ENDS = NOW + 60
NUMBERS = [f"{n:08}000100" for n in range(1, 1_001)]
CNPJ = NUMBERS[0]
MARK = {"data_base": "2026-11-14", "campo": "razao_social", "de": "a\x00é", "para": None}


@pytest.fixture(autouse=True)
def accounts(store: AccessStore) -> None:
    for name in ("acc_1", "acc_2"):
        assert store.open_account(Account(name, "pro", 3, {f"key of {name}": 0}, created_at=NOW))


def watch(cnpj: str = CNPJ, reference: str | None = None, since: int = NOW) -> Watch:
    return Watch(cnpj, reference, since)


def add(store: AccessStore, *wanted: Watch, account: str = "acc_1", limit: int | None = None) -> list[Added]:
    added = store.add_watches(account, wanted, limit)
    assert added is not None
    return added


def change(name: str = "s1", cnpj: str = CNPJ) -> Change:
    return Change(f"{name}-{cnpj}", cnpj, "é'", "2026-11-14", [MARK])


def say(store: AccessStore, *changes: Change, account: str = "acc_1", expires_at: int = ENDS) -> None:
    store.add_changes([(account, one) for one in changes], NOW, expires_at)


def feed(store: AccessStore, account: str = "acc_1", page: int = 100, now: int = NOW) -> list[Change]:
    """Return a whole feed, read page by page as a poller does."""
    found: list[Change] = []
    after = 0
    while listed := store.list_changes(account, after, page, now):
        places = [one.place for one in listed]
        assert places == sorted({*places})
        assert after < places[0]
        after = places[-1]
        found += (one.change for one in listed)
    return found


@pytest.mark.parametrize("reference", [None, "", "é' \U0001f7e2"])
def test_a_watch_is_read_as_it_was_added(store: AccessStore, reference: str | None) -> None:
    wanted = watch(reference=reference)
    assert add(store, wanted) == [Added(wanted, is_new=True)]
    assert store.read_watch("acc_1", CNPJ) == wanted
    assert store.list_watches("acc_1", "", 9) == [wanted]
    assert store.read_watch("acc_2", CNPJ) is None
    assert store.list_watches("acc_2", "", 9) == []


def test_what_is_watched_keeps_its_moment_and_takes_a_new_reference(store: AccessStore) -> None:
    add(store, watch(reference="one"))
    later = watch(since=NOW + 5)
    assert add(store, later, limit=1) == [Added(watch(reference="one"))]
    changed = watch(reference="two")
    assert add(store, later._replace(reference="two"), limit=0) == [Added(changed)]
    assert store.read_watch("acc_1", CNPJ) == changed
    assert add(store, later._replace(reference="")) == [Added(watch(reference=""))]


def test_an_unknown_account_watches_nothing(store: AccessStore) -> None:
    assert store.add_watches("acc_3", [watch()], None) is None
    assert store.watches_of_all(("", ""), 9) == []
    assert store.read_watch("acc_3", CNPJ) is None
    assert store.list_watches("acc_3", "", 9) == []
    assert store.list_changes("acc_3", 0, 9, NOW) == []
    store.end_watch("acc_3", CNPJ)
    say(store, change(), account="acc_3")
    assert store.read_account("acc_3") is None
    assert feed(store, "acc_3") == []


def test_the_first_ones_that_fit_are_added(store: AccessStore) -> None:
    add(store, watch(NUMBERS[2]))
    wanted = [watch(number) for number in NUMBERS[:5]]
    added = add(store, *wanted, limit=3)
    assert added == [
        Added(wanted[0], is_new=True),
        Added(wanted[1], is_new=True),
        Added(wanted[2]),
        Added(None),
        Added(None),
    ]
    assert store.list_watches("acc_1", "", 9) == wanted[:3]
    store.end_watch("acc_1", NUMBERS[0])
    store.end_watch("acc_1", NUMBERS[0])
    assert add(store, wanted[4], limit=3) == [Added(wanted[4], is_new=True)]
    assert add(store, wanted[0], limit=1) == [Added(None)]
    assert add(store, wanted[0], account="acc_2", limit=1) == [Added(wanted[0], is_new=True)]


def test_a_thousand_are_added_at_once_and_listed_in_order(store: AccessStore) -> None:
    wanted = [watch(number, reference=number[:8]) for number in reversed(NUMBERS)]
    assert add(store, *wanted, limit=1_000) == [Added(one, is_new=True) for one in wanted]
    assert add(store, *wanted, limit=1_000) == [Added(one) for one in wanted]
    listed: list[Watch] = []
    while page := store.list_watches("acc_1", listed[-1].cnpj if listed else "", 300):
        listed += page
    assert listed == wanted[::-1]


@pytest.mark.parametrize("at_once", [1, 3])
def test_concurrently_added_watches_stay_within_the_limit(store: AccessStore, at_once: int) -> None:
    sets = [[watch(number) for number in NUMBERS[n * at_once : (n + 1) * at_once]] for n in range(20)]
    with ThreadPoolExecutor(20) as threads:
        added = list(threads.map(lambda wanted: add(store, *wanted, limit=7), sets))
    stored = [one.watch for outcomes in added for one in outcomes if one.watch and one.is_new]
    assert len(stored) == 7
    assert store.list_watches("acc_1", "", 99) == sorted(stored)


def test_one_company_added_concurrently_is_new_once(store: AccessStore) -> None:
    with ThreadPoolExecutor(20) as threads:
        added = list(threads.map(lambda n: add(store, watch(since=NOW + n), limit=1), range(20)))
    (first,) = [one.watch for (one,) in added if one.is_new]
    assert {one.watch for (one,) in added} == {first}


def test_the_watches_of_all_are_listed_by_number_and_account(store: AccessStore) -> None:
    wanted = [(account, watch(number)) for number in NUMBERS[:3] for account in ("acc_1", "acc_2")]
    for account, one in reversed(wanted):
        add(store, one, account=account)
    for size in (1, 2, 4, 6):
        listed: list[tuple[str, Watch]] = []
        after = ("", "")
        while page := store.watches_of_all(after, size):
            assert len(page) <= size
            listed += page
            after = (page[-1][1].cnpj, page[-1][0])
        assert listed == wanted


def test_a_change_is_listed_as_it_was_added(store: AccessStore) -> None:
    assert feed(store) == []
    wanted = [change("s1"), change("s2")._replace(reference=None), change("s1", NUMBERS[1])]
    say(store, *wanted)
    assert feed(store) == wanted
    assert feed(store, page=1) == wanted
    assert feed(store, "acc_2") == []
    assert store.list_changes("acc_1", 0, 9, NOW)[0].place >= 1


def test_a_change_is_added_once(store: AccessStore) -> None:
    say(store, change("s1"))
    say(store, change("s1"), change("s2"), change("s2"))
    say(store, change("s2"), change("s1"), account="acc_2")
    assert feed(store) == [change("s1"), change("s2")]
    assert feed(store, "acc_2") == [change("s2"), change("s1")]
    store.end_watch("acc_1", CNPJ)
    assert len(feed(store)) == 2


def test_concurrently_repeated_changes_are_added_once(store: AccessStore) -> None:
    wanted = [change(f"s{n}") for n in range(10)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: say(store, *wanted), range(8)))
    assert feed(store) == wanted


def test_many_accounts_and_changes_at_once(store: AccessStore) -> None:
    several = [
        (account, change("s", number)) for number in NUMBERS[:250] for account in ("acc_2", "acc_1", "gone")
    ]
    store.add_changes(several, NOW, ENDS)
    assert feed(store) == feed(store, "acc_2") == [change("s", number) for number in NUMBERS[:250]]


def test_a_reader_misses_nothing_while_others_add(store: AccessStore) -> None:
    """Writers in both orders of accounts, which must not wait for each other."""

    def write(writer: int) -> None:
        for n in range(12):
            names = ("acc_1", "acc_2") if writer % 2 else ("acc_2", "acc_1")
            store.add_changes([(name, change(f"w{writer}n{n}")) for name in names], NOW, ENDS)

    seen: list[str] = []

    def read(after: int) -> int:
        for listed in store.list_changes("acc_1", after, 3, NOW):
            seen.append(listed.change.id)
            after = listed.place
        return after

    with ThreadPoolExecutor(6) as threads:
        writers = [threads.submit(write, writer) for writer in range(6)]
        after = 0
        while not all(writer.done() for writer in writers):
            after = read(after)
        for writer in writers:
            writer.result()
    while (behind := read(after)) != after:
        after = behind
    assert sorted(seen) == sorted(change(f"w{writer}n{n}").id for writer in range(6) for n in range(12))
    assert len(seen) == len({*seen})
    assert len(feed(store, "acc_2")) == 72


def test_changes_expire_and_places_go_on(stores: Stores) -> None:
    store = stores.access
    say(store, change("s1"), expires_at=NOW + 1)
    say(store, change("s2"), expires_at=NOW + 2)
    last = store.list_changes("acc_1", 0, 9, NOW)[-1].place
    assert feed(store, now=NOW + 1) == [change("s2")]
    assert feed(store, now=NOW + 2) == []
    stores.open_maintenance().tidy(NOW + 2)
    say(store, change("s3"))
    assert feed(store, now=NOW + 2) == [change("s3")]
    assert store.list_changes("acc_1", 0, 9, NOW + 2)[0].place > last


def test_with_an_account_its_watches_and_its_feed_are_deleted(store: AccessStore) -> None:
    for account in ("acc_1", "acc_2"):
        add(store, watch(), watch(NUMBERS[1]), account=account)
        say(store, change(), account=account)
    store.delete_account("acc_1")
    assert store.watches_of_all(("", ""), 9) == [("acc_2", watch()), ("acc_2", watch(NUMBERS[1]))]
    assert store.list_watches("acc_1", "", 9) == []
    assert feed(store) == []
    assert store.add_watches("acc_1", [watch()], None) is None
    store.add_changes([("acc_1", change("s2")), ("acc_2", change("s2"))], NOW, ENDS)
    assert feed(store, "acc_2") == [change(), change("s2")]
    assert store.open_account(Account("acc_1", "pro", 3, {"k1": 0}, created_at=NOW))
    assert store.list_watches("acc_1", "", 9) == []
    assert feed(store) == []


def test_accounts_are_deleted_while_changes_are_added(store: AccessStore) -> None:
    names = [f"gone_{n}" for n in range(6)]
    for name in names:
        assert store.open_account(Account(name, "pro", 3, {f"key of {name}": 0}, created_at=NOW))
        add(store, watch(), account=name)
    everybody = [*names, "acc_1"]
    with ThreadPoolExecutor(8) as threads:
        deletions = [threads.submit(store.delete_account, name) for name in names]
        for n in range(8):
            store.add_changes([(name, change(f"s{n}")) for name in everybody], NOW, ENDS)
        for deletion in deletions:
            assert deletion.result() is not None
    assert len(feed(store)) == 8
    assert not any(feed(store, name) for name in names)


def test_the_announcement_is_written_by_one(store: AccessStore) -> None:
    assert store.read_announcement() is None
    assert not store.write_announcement(Announcement("s1", version=2))
    assert store.write_announcement(Announcement("s1", version=1))
    assert not store.write_announcement(Announcement("s0", version=1))
    assert store.read_announcement() == Announcement("s1", version=1)
    whole = Announcement("s1", "s2", NOW, (CNPJ, "acc_1"), 2)
    assert store.write_announcement(whole)
    assert store.read_announcement() == whole
    assert not store.write_announcement(whole)
    assert not store.write_announcement(whole._replace(version=4))

    def compete(n: int) -> bool:
        return store.write_announcement(Announcement("s1", "s2", n, version=3))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(compete, range(8))).count(True) == 1
    found = store.read_announcement()
    assert found is not None
    assert found.version == 3


def fill(store: AccessStore) -> None:
    add(store, watch(reference="é"), watch(NUMBERS[3]))
    say(store, change("s1"), change("s2"))
    say(store, change("s3"), expires_at=ENDS + 1)
    store.write_announcement(Announcement("s2", "s3", NOW, (CNPJ, "acc_1"), 1))


def test_watches_feeds_and_the_announcement_move_to_another_store_and_back(
    stores: Stores, request: pytest.FixtureRequest
) -> None:
    fill(stores.access)
    there, back = STORES["memory"](request), STORES["memory"](request)
    moved = move(stores.open_maintenance(), there.open_maintenance())
    assert moved == {"account": 2, "announcement": 1}
    assert move(there.open_maintenance(), back.open_maintenance()) == moved
    assert_filled(back.access)
    assert back.access.read_announcement() == stores.access.read_announcement()


def test_an_account_is_restored_with_its_watches_and_its_feed(
    stores: Stores, request: pytest.FixtureRequest
) -> None:
    backup = STORES["memory"](request)
    fill(stores.access)
    move(stores.open_maintenance(), backup.open_maintenance())
    stores.access.delete_account("acc_1")
    restore(backup.open_maintenance(), stores.open_maintenance(), "acc_1")
    assert_filled(stores.access)


def assert_filled(store: AccessStore) -> None:
    assert store.list_watches("acc_1", "", 9) == [watch(reference="é"), watch(NUMBERS[3])]
    assert feed(store) == [change("s1"), change("s2"), change("s3")]
    assert len(feed(store, now=ENDS)) == 1
    last = store.list_changes("acc_1", 0, 9, NOW)[-1].place
    say(store, change("s3"), change("s4"))
    assert [one.change for one in store.list_changes("acc_1", last, 9, NOW)] == [change("s4")]
