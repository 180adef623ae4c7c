"""Whom a request of the demo key is counted for."""

from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.network_hash import Pseudonyms
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import UncountedLimit
from brskills_server.metering.ledger import Ledger
from brskills_server.skills.errors import ApiError
from brskills_server.web.request import Request
from brskills_server.web.sessions import Sessions


@pytest.fixture
def caller_at(ledger: Ledger, store) -> Any:
    """A function that gives the demo key's caller at an address."""
    services: Any = SimpleNamespace(
        ledger=ledger,
        pseudonyms=Pseudonyms(store),
        settings=SimpleNamespace(trusted_proxies=(ip_network("192.0.2.0/24"),)),
        accounts=SimpleNamespace(identify=lambda key: (Caller(DEMO, key), None)),
    )
    sessions = Sessions(services)

    def at(address: str, forwarded: str = "") -> Caller:
        event = {
            "httpMethod": "POST",
            "resource": "/",
            "headers": {"X-Forwarded-For": forwarded} if forwarded else {},
            "requestContext": {"identity": {"sourceIp": address}},
        }
        return sessions.of_key("x", Request(event)).caller

    return at


def test_ipv6_callers_are_counted_by_their_networks(caller_at) -> None:
    one, neighbour, other = (caller_at(f"2001:db8:{place}::1") for place in ("1:1", "1:2", "2:1"))
    assert one.address != neighbour.address
    assert one.site == neighbour.site != other.site
    assert one.site not in {one.address, ""}
    assert caller_at("2001:db8:1:1:ffff::9") == one
    assert caller_at("192.0.2.1", forwarded="2001:db8:1:1::7") == one


def test_skills_that_are_not_there_are_asked_for_so_often_a_minute(ledger: Ledger, accounts, clock) -> None:
    clock.now -= clock.now % 60
    services: Any = SimpleNamespace(
        ledger=ledger, accounts=accounts, custom_skills=SimpleNamespace(of=lambda _: {})
    )
    key = accounts.open("enterprise").api_key
    request = Request({"httpMethod": "POST", "resource": "/", "headers": {"X-API-Key": key}})
    for _ in range(PLANS["free"].uncounted_a_minute):
        with pytest.raises(ApiError):
            Sessions(services).of_custom_skill("none", request)
    with pytest.raises(UncountedLimit):
        Sessions(services).of_custom_skill("none", request)


def test_an_ipv4_caller_has_no_site(caller_at) -> None:
    assert caller_at("198.51.100.1").site == ""
    assert caller_at("::ffff:198.51.100.1") == caller_at("198.51.100.1")
    assert caller_at("").site == ""
