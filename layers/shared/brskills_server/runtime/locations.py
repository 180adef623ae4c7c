"""Locations of dynamic codes, followed on the terms of a request."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.charges.sandbox_locations import SANDBOX_LOCATIONS
from brskills_server.metering.session import Session
from brskills_server.metering.window_limits import RepeatFollows
from brskills_server.runtime.services import Services, opened_once
from brskills_server.runtime.settings import VERSION, Settings

if TYPE_CHECKING:
    from brskills_server.charges.follow import Follower
    from brskills_server.charges.verification import Verification


class Locations:
    """Locations and who may follow them. The first use imports ``cryptography``, a tenth of a second."""

    def __init__(self, settings: Settings, repeats: RepeatFollows) -> None:
        self._settings = settings
        self._repeats = repeats

    def follow(self, locations: Sequence[str], session: Session) -> Sequence[Verification]:
        """Return the verifications of locations; a repeated request follows them a few times more.

        Raise ``UncountedLimit`` if the allowance is used up.
        """
        from brskills_server.charges.verification import UNVERIFIED, VALID, Verification

        session.allowance.check(session.caller)
        if session.replayed and not self._may_repeat(session):
            return [Verification(UNVERIFIED, ("consultas_demais",))] * len(locations)
        caller = " ".join(filter(None, (session.caller.account, session.caller.address)))
        is_paid = session.plan is not None and PLANS[session.plan].is_paid
        found = self._follower.follow(locations, caller, is_paid=is_paid)
        if any(each.state != VALID for each in found) and not SANDBOX_LOCATIONS.issuperset(locations):
            session.note_look_up()
        return found

    def open(self) -> None:
        """Import and read what following needs."""
        self._follower  # noqa: B018

    @opened_once
    def _follower(self) -> Follower:
        from brskills_server.charges.follow import Follower
        from brskills_server.charges.trust import Trust, root_files
        from brskills_server.outbound.fetcher import Fetcher
        from brskills_server.outbound.public_network import Network

        settings = self._settings
        roots = ssl.create_default_context()
        for file in root_files(settings.pix_ca_file):
            roots.load_verify_locations(file)
        network = Network(certificates=roots, connect_to=settings.pix_connect_to)
        trust = Trust(settings.pix_ca_file)
        return Follower(Fetcher(f"brskills/{VERSION} (+{settings.project_url})", network), trust)

    def _may_repeat(self, session: Session) -> bool:
        try:
            return self._repeats.take(session.idempotency_id, session.since)
        except StoreUnavailable:
            return False


@cache
def open_locations(services: Services) -> Locations:
    """Return the locations of a deployment."""
    return Locations(services.settings, RepeatFollows(services.store))
