"""Follow a location: fetch what its PSP signed, and the keys, and return the verification.

A location is a secret, as the code that holds it: it reaches no log, no error and no store.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from brskills_server.charges.sandbox import sandbox_verification
from brskills_server.charges.signed_payload import Invalid, Unreadable, read_signed_payload
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import INVALID, UNVERIFIED, Verification, verify
from brskills_server.outbound.fetcher import FAILURES, Fetcher, Reply
from brskills_server.outbound.fetcher import Unreadable as UnknownCoding
from brskills_server.outbound.places import Places
from brskills_server.outbound.public_network import Forbidden
from brskills_server.outbound.wire import TooLarge

SECONDS = 3.0
"""For all locations of a call and their keys, from the call to its end."""

_LAST_SECONDS = 0.2
"""Of these, to return what is known."""

_WAIT_SECONDS = 1.0
"""Of these, for a place, so that the rest is enough to follow."""

MAX_BYTES = 64 * 1024
MOST, MOST_SLOW, MOST_OF_ONE, MOST_WAITING = 12, 6, 6, 3
"""Locations followed at once in a process for all paying accounts, and as many for all others: in all, of
those that were late, of one caller and at one host, and those that wait. Each keeps one of 32 threads."""

_SLOW_SECONDS, _MOST_KNOWN = 60.0, 1_000
"""How long it is known that a caller's or a host's location was late, and of how many of them."""

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
        self._places = {is_paid: Places(MOST, MOST_WAITING) for is_paid in (False, True)}
        self._slow_until: OrderedDict[str, float] = OrderedDict()

    def follow(self, locations: Sequence[str], caller: str, *, is_paid: bool = False) -> list[Verification]:
        """Return the verifications of locations (host and path), which are followed at the same time."""
        try:
            return self._fetcher.run(self._follow_all(locations, caller, is_paid), SECONDS)
        except TimeoutError:  # the loop itself is late
            return [Verification(UNVERIFIED, ("tempo_esgotado",))] * len(locations)

    async def _follow_all(self, locations: Sequence[str], caller: str, is_paid: bool) -> list[Verification]:
        ends = asyncio.get_running_loop().time() + SECONDS - _LAST_SECONDS
        return await asyncio.gather(
            *(self._follow(location, caller, is_paid, ends) for location in locations)
        )

    async def _follow(self, location: str, caller: str, is_paid: bool, ends: float) -> Verification:
        if (made_up := sandbox_verification(location, self._clock())) is not None:
            return made_up
        match = _LOCATION.fullmatch(location)
        if match is None or set(match["path"]) & set('"<>\\^`{|}#'):
            return Verification(UNVERIFIED, ("endereco_nao_permitido",))
        host = match["host"].lower()
        names = f"caller {caller}", f"host {host}"
        now = asyncio.get_running_loop().time
        bounds = dict.fromkeys(names, MOST_OF_ONE)
        if any(self._slow_until.get(name, 0) > now() for name in names):
            bounds["slow"] = MOST_SLOW
        async with self._places[is_paid].take(bounds, min(ends, now() + _WAIT_SECONDS)) as taken:
            if not taken:
                return Verification(UNVERIFIED, ("consultas_demais",))
            began = now()
            found = await self._ask(host, match["path"], ends)
            if now() - began > _WAIT_SECONDS:
                self._note_slow(names, now() + _SLOW_SECONDS)
            return found

    def _note_slow(self, names: Sequence[str], until: float) -> None:
        for name in names:
            self._slow_until[name] = until
            self._slow_until.move_to_end(name)
        while len(self._slow_until) > _MOST_KNOWN:
            self._slow_until.popitem(last=False)

    async def _ask(self, host: str, path: str, ends: float) -> Verification:
        try:
            async with asyncio.timeout_at(ends):
                body = _body_of(
                    await self._fetcher.get(f"https://{host}{path}", "application/jose", MAX_BYTES)
                )
                signed = read_signed_payload(body, host)
                keys = await self._fetcher.get(signed.keys_address, "application/json", MAX_BYTES)
                listed = _body_of(keys)
                return await asyncio.to_thread(
                    verify, signed, listed, host, self._trust, keys.certificate, self._clock()
                )
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


def _body_of(reply: Reply) -> bytes:
    if reply.status != 200:
        raise Unreadable(f"http_{reply.status}")
    return reply.body
