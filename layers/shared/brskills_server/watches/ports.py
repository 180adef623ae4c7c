"""The store of watches and feeds, as the rules need it.

Every method may raise ``StoreUnavailable``, and is atomic across processes but where it says otherwise. What
belongs to an account is deleted with it. Numbers are canonical CNPJs.
"""

from collections.abc import Sequence
from typing import Protocol

from brskills_server.watches.watch import Added, Announcement, Change, Listed, Watch


class WatchStore(Protocol):
    """Watches of accounts, and the feeds of what changed."""

    def add_watches(self, account: str, wanted: Sequence[Watch], limit: int | None) -> list[Added] | None:
        """Watch companies, and return an outcome for each in their order; ``None`` for an unknown account.

        ``wanted``: distinct numbers. One that is watched already keeps its ``since``, and its reference where
        it is given none. ``limit``: the most watches of an account, exact also under concurrent calls; those
        that still fit are added, the first ones first.
        """

    def read_watch(self, account: str, cnpj: str) -> Watch | None:
        """Return a watch of an account."""

    def list_watches(self, account: str, after: str, limit: int) -> list[Watch]:
        """Return the first watches of an account behind the number ``after``, in the order of numbers."""

    def end_watch(self, account: str, cnpj: str) -> None:
        """End a watch, if there is one."""

    def watches_of_all(self, after: tuple[str, str], limit: int) -> list[tuple[str, Watch]]:
        """Return the first watches of all accounts, with the account, behind a number and an account.

        In the order of number and account; not those of one moment.
        """

    def add_changes(self, changes: Sequence[tuple[str, Change]], now: int, expires_at: int) -> None:
        """Add changes to the feeds of accounts, in their order; one whose id a feed has is left out.

        One that a feed shows has all earlier ones before it: a reader that continues behind the last one
        it has seen misses none. Atomic for each change; where it raises, some are added. An account that is
        gone is left out.
        """

    def list_changes(self, account: str, after: int, limit: int, now: int) -> list[Listed]:
        """Return the first changes of an account's feed behind a place that have not expired."""

    def read_announcement(self) -> Announcement | None:
        """Return how far watches were compared; ``None`` before the first snapshot."""

    def write_announcement(self, announcement: Announcement) -> bool:
        """Store it with its ``version``; ``False`` if the stored one is not the version before (0: none)."""
