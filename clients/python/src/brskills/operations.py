"""The methods of both clients, made from the descriptions in `brskills.calls`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import update_wrapper, wraps
from typing import Any, Generic, ParamSpec, TypeVar, Unpack, cast, overload

from brskills import calls, webhook_calls
from brskills.calls import Call
from brskills.errors import UnexpectedAnswer
from brskills.search import SearchFields, SearchPage
from brskills.watches import ChangePage, Watch, WatchPage

P = ParamSpec("P")
T = TypeVar("T")
Page = TypeVar("Page", SearchPage, WatchPage, ChangePage)

_MOST_ROWS = 100  # of a page


class Operation(Generic[P, T]):
    """A method that returns the answer on a ``Client`` and an awaitable on an ``AsyncClient``."""

    def __init__(self, describe: Callable[P, Call[T]]) -> None:
        self._describe = describe
        update_wrapper(cast("Any", self), describe)

    @overload
    def __get__(self, client: None, owner: type) -> Operation[P, T]: ...
    @overload
    def __get__(self, client: BlockingOperations, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncOperations, owner: type) -> Callable[P, Coroutine[object, None, T]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        if client is None:
            return self

        @wraps(self._describe)
        def send(*args: P.args, **kwargs: P.kwargs) -> Any:
            return client.send(self._describe(*args, **kwargs))

        return send


class Operations:
    """The methods of a client. Each raises `BrskillsError`."""

    create_pix_code = Operation(calls.create_pix_code)
    create_pix_codes = Operation(calls.create_pix_codes)
    decode = Operation(calls.decode)
    conferir = Operation(calls.conferir)
    company = Operation(calls.company)
    companies = Operation(calls.companies)
    history = Operation(calls.history)
    search = Operation(calls.search)
    watch = Operation(calls.watch)
    watch_all = Operation(calls.watch_all)
    watch_page = Operation(calls.watch_page)
    unwatch = Operation(calls.unwatch)
    changes = Operation(calls.changes)
    create_webhook = Operation(webhook_calls.create_webhook)
    list_webhooks = Operation(webhook_calls.list_webhooks)
    read_webhook = Operation(webhook_calls.read_webhook)
    change_webhook = Operation(webhook_calls.change_webhook)
    delete_webhook = Operation(webhook_calls.delete_webhook)
    test_webhook = Operation(webhook_calls.test_webhook)
    rotate_webhook = Operation(webhook_calls.rotate_webhook)
    webhook_deliveries = Operation(webhook_calls.webhook_deliveries)
    usage = Operation(calls.usage)
    create_key = Operation(calls.create_key)
    rotate_key = Operation(calls.rotate_key)
    revoke_key = Operation(calls.revoke_key)
    checkout = Operation(calls.checkout)
    portal = Operation(calls.portal)
    plans = Operation(calls.plans)
    status = Operation(calls.status)
    proof_keys = Operation(calls.proof_keys)


class BlockingOperations(Operations):
    """The methods of a client that blocks until a call is answered."""

    def send(self, call: Call[T]) -> T:
        """Send a call and return its answer. Raise `BrskillsError`."""
        raise NotImplementedError

    def search_all(self, **fields: Unpack[SearchFields]) -> Iterator[SearchPage]:
        """Yield all pages of a search, each fetched when it is needed. Each counts one call."""
        follow = _follower(fields.get("cursor"))
        page = follow(self.search(**_in_full_pages(fields)))
        yield page
        while page.cursor is not None:
            page = follow(self.search(**_in_full_pages(fields, page.cursor)))
            yield page

    def watches(self) -> Iterator[Watch]:
        """Yield the watched companies, by number; pages are fetched when they are needed."""
        follow = _follower()
        page = follow(self.watch_page())
        yield from page.watches
        while page.cursor is not None:
            page = follow(self.watch_page(page.cursor))
            yield from page.watches

    def changes_since(self, cursor: str | None = None) -> Iterator[ChangePage]:
        """Yield the pages of the feed behind ``cursor`` up to its end. Store the last page's cursor."""
        follow = _follower(cursor)
        page = follow(self.changes(cursor))
        yield page
        while page.mudancas:
            page = follow(self.changes(page.cursor))
            yield page


class AsyncOperations(Operations):
    """The methods of a client whose answers are awaited."""

    async def send(self, call: Call[T]) -> T:
        """Send a call and return its answer. Raise `BrskillsError`."""
        raise NotImplementedError

    async def search_all(self, **fields: Unpack[SearchFields]) -> AsyncIterator[SearchPage]:
        """Yield all pages of a search, each fetched when it is needed. Each counts one call."""
        follow = _follower(fields.get("cursor"))
        page = follow(await self.search(**_in_full_pages(fields)))
        yield page
        while page.cursor is not None:
            page = follow(await self.search(**_in_full_pages(fields, page.cursor)))
            yield page

    async def watches(self) -> AsyncIterator[Watch]:
        """Yield the watched companies, by number; pages are fetched when they are needed."""
        follow = _follower()
        page = follow(await self.watch_page())
        for watch in page.watches:
            yield watch
        while page.cursor is not None:
            page = follow(await self.watch_page(page.cursor))
            for watch in page.watches:
                yield watch

    async def changes_since(self, cursor: str | None = None) -> AsyncIterator[ChangePage]:
        """Yield the pages of the feed behind ``cursor`` up to its end. Store the last page's cursor."""
        follow = _follower(cursor)
        page = follow(await self.changes(cursor))
        yield page
        while page.mudancas:
            page = follow(await self.changes(page.cursor))
            yield page


def _in_full_pages(fields: SearchFields, cursor: str | None = None) -> SearchFields:
    """Return the fields of a page, which by default is as long as can be."""
    asked: SearchFields = {"limite": _MOST_ROWS, **fields}
    return {**asked, "cursor": cursor} if cursor else asked


def _follower(cursor: str | None = None) -> Callable[[Page], Page]:
    """Return a function that returns its page, unless the page leads back to a cursor that was followed.

    Such pages would never end, and each page of a search counts: `UnexpectedAnswer` is raised.
    """
    followed = {cursor}

    def follow(page: Page) -> Page:
        is_last = page.cursor is None or (isinstance(page, ChangePage) and not page.mudancas)
        if not is_last and page.cursor in followed:
            raise UnexpectedAnswer(200, "a cursor that was given before", {})
        followed.add(page.cursor)
        return page

    return follow
