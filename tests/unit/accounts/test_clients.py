"""Clients that register, and those that have a metadata document."""

import pytest

from brskills_server.accounts.clients import (
    EXTENDED_SECONDS,
    GRANTED_SECONDS,
    LONGEST_ID,
    UNGRANTED_SECONDS,
    Clients,
)
from brskills_server.accounts.grant import Client
from tests.unit.accounts.granted import World

URIS = ("https://client.example/cb", "http://127.0.0.1/cb")


@pytest.fixture
def clients(store, clock) -> Clients:
    return Clients(store, clock)


def test_a_client_registers_and_is_found(clients, clock) -> None:
    client = clients.register("Assistente", list(URIS), "https://client.example/")
    assert client == Client(client.id, "Assistente", URIS, int(clock()), "https://client.example/")
    assert clients.find(client.id) == client
    assert clients.register("Assistente", URIS).id != client.id


def test_a_client_without_grants_expires_after_a_day(clients, clock) -> None:
    client = clients.register("Assistente", URIS)
    clock.now += UNGRANTED_SECONDS - 1
    assert clients.find(client.id) == client
    clock.now += 1
    assert clients.find(client.id) is None


def test_a_client_with_a_grant_is_kept_while_it_is_used(store, clock, clients) -> None:
    world = World.new(store, clock)
    code = world.code()
    tokens = world.redeem(code)
    for _ in range(4):
        clock.now += 29 * 24 * 3600
        assert tokens is not None
        tokens = world.refresh(tokens.refresh_token)
    clock.now += GRANTED_SECONDS - 1
    assert clients.find(world.client.id) == world.client
    clock.now += 1
    assert clients.find(world.client.id) is None


def test_a_client_may_redeem_its_code_after_its_day(store, clock, clients) -> None:
    world = World.new(store, clock)
    clock.now += UNGRANTED_SECONDS - 1
    code = world.code()
    clock.now += 1
    assert clients.find(world.client.id) == world.client
    assert world.redeem(code)


def test_a_document_is_cached_for_its_lifetime_despite_grants(store, clock, clients) -> None:
    document = Client("https://client.example/client.json", "Assistente", URIS, int(clock()))
    clients.remember(document, 300)
    world = World.new(store, clock)
    world.client = document
    world.sign_in()
    clock.now += 299
    assert clients.find(document.id) == document
    clock.now += 1
    assert clients.find(document.id) is None


def test_a_document_takes_the_place_of_no_registered_client(clients) -> None:
    client = clients.register("Assistente", URIS)
    with pytest.raises(ValueError, match="metadata document"):
        clients.remember(Client(client.id, "other", URIS, 0), 300)
    assert clients.find(client.id) == client


def test_ids_of_no_possible_form_are_not_looked_for(clock) -> None:
    clients = Clients(None, clock)  # type: ignore[arg-type]
    long = "https://client.example/" + "a" * LONGEST_ID
    assert clients.find(long) is None
    assert clients.find("brsk_cl_0000000000000000000000") is None
    with pytest.raises(ValueError, match="metadata document"):
        clients.remember(Client(long, "", URIS, 0), 300)


def test_equal_registrations_are_one_client(clients, clock) -> None:
    said = ("Assistente", URIS, "https://client.example/")
    assert clients.recall(*said) is None
    first = clients.register(*said)
    clock.now += UNGRANTED_SECONDS - 1
    assert clients.recall(*said) == first
    clock.now += UNGRANTED_SECONDS - 1
    assert clients.find(first.id) == first
    assert clients.register(*said).id == first.id
    for other in (("Outro", *said[1:]), (said[0], URIS[:1], said[2]), (*said[:2], None)):
        assert clients.register(*other).id != first.id


def test_a_client_that_registers_again_and_again_is_written_once_an_hour(
    store, clients, clock, monkeypatch
) -> None:
    said = ("Assistente", URIS, None)
    client, extend, writes = clients.register(*said), store.extend_client, []
    monkeypatch.setattr(store, "extend_client", lambda *extension: writes.append(extend(*extension)))
    for _ in range(20):
        clock.now += EXTENDED_SECONDS // 10
        assert clients.recall(*said) == client
    assert len(writes) == 2


def test_being_recalled_takes_nothing_from_a_client_that_was_granted_something(store, clients, clock) -> None:
    said = ("Assistente", URIS, None)
    client = clients.register(*said)
    store.extend_client(client.id, int(clock()) + GRANTED_SECONDS)
    clients.recall(*said)
    clock.now += GRANTED_SECONDS - 1
    assert clients.find(client.id) == client
