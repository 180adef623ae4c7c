"""Follow a location: fetch what its PSP signed, and the keys, and return the verification.

A location is a secret, as the code that holds it: it reaches no log, no error and no store.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from brskills_server.charges.sandbox import sandbox_verification
from brskills_server.charges.signed_payload import Invalid, Unreadable, read_signed_payload
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import INVALID, UNVERIFIED, Verification, verify
from brskills_server.outbound.fetcher import FAILURES, Fetcher, Reply, TooLarge
from brskills_server.outbound.fetcher import Unreadable as UnknownCoding
from brskills_server.outbound.public_network import Forbidden

SECONDS = 3.0
"""For a location and its keys together."""

MAX_BYTES = 64 * 1024
MAX_CONCURRENT, MAX_OF_ONE = 16, 4
"""Locations followed at once in a process; of one caller, and of one host."""

_LOCATION = re.compile(
    r"(?P<host>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])(?::443)?(?P<path>/[!-~]*)",
    re.IGNORECASE,
)


class Follower:
    """Follows locations within limits of time, size and number. ``clock``: the time in UTC."""

    def __init__(
        self,
        fetcher: Fetcher,
        trust: Trust,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._fetcher, self._trust, self._clock = fetcher, trust, clock
        self._under_way: Counter[str] = Counter()

    def follow(self, locations: Sequence[str], caller: str) -> list[Verification]:
        """Return the verifications of locations (host and path), which are followed at the same time."""
        try:
            return self._fetcher.run(self._follow_all(locations, caller), SECONDS + 1)
        except TimeoutError:
            return [Verification(UNVERIFIED, ("tempo_esgotado",))] * len(locations)

    async def _follow_all(self, locations: Sequence[str], caller: str) -> list[Verification]:
        return await asyncio.gather(*(self._follow(location, caller) for location in locations))

    async def _follow(self, location: str, caller: str) -> Verification:
        if (made_up := sandbox_verification(location, self._clock())) is not None:
            return made_up
        match = _LOCATION.fullmatch(location)
        if match is None or set(match["path"]) & set('"<>\\^`{|}#'):
            return Verification(UNVERIFIED, ("endereco_nao_permitido",))
        host = match["host"].lower()
        with self._slot(caller, host) as taken:
            return (
                await self._ask(host, match["path"])
                if taken
                else Verification(UNVERIFIED, ("consultas_demais",))
            )

    async def _ask(self, host: str, path: str) -> Verification:
        try:
            async with asyncio.timeout(SECONDS):
                body = _body_of(
                    await self._fetcher.get(f"https://{host}{path}", "application/jose", MAX_BYTES)
                )
                signed = read_signed_payload(body, host)
                keys = await self._fetcher.get(signed.keys_address, "application/json", MAX_BYTES)
                listed = _body_of(keys)
        except Invalid as error:
            return Verification(INVALID, (str(error),))
        except Unreadable as error:
            return Verification(UNVERIFIED, (str(error),))
        except Forbidden:
            return Verification(UNVERIFIED, ("endereco_nao_permitido",))
        except TooLarge:
            return Verification(UNVERIFIED, ("resposta_grande_demais",))
        except UnknownCoding:
            return Verification(UNVERIFIED, ("resposta_ilegivel",))
        except TimeoutError:
            return Verification(UNVERIFIED, ("tempo_esgotado",))
        except FAILURES:
            return Verification(UNVERIFIED, ("sem_resposta",))
        return await asyncio.to_thread(
            verify, signed, listed, host, self._trust, keys.certificate, self._clock()
        )

    @contextmanager
    def _slot(self, caller: str, host: str) -> Iterator[bool]:
        names = ("", f"caller:{caller}", f"host:{host}")
        most = {name: MAX_OF_ONE if name else MAX_CONCURRENT for name in names}
        if any(self._under_way[name] >= most[name] for name in names):
            yield False
            return
        self._under_way.update(names)
        try:
            yield True
        finally:
            self._under_way.subtract(names)
            self._under_way += Counter()  # drops what is at zero


def _body_of(reply: Reply) -> bytes:
    if reply.status != 200:
        raise Unreadable(f"http_{reply.status}")
    return reply.body
