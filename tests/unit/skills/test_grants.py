"""What an account's owner sees of grants."""

from typing import Any

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import InvalidKey
from brskills_server.accounts.grants import Grants
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.skills.account.grants import list_grants
from tests.unit.accounts.granted import World
from tests.unit.turns import Step, Stepping, interleavings, together


def test_an_account_that_is_deleted_while_its_grants_are_listed_is_no_failure(store, clock) -> None:
    for order in interleavings(["list"] * 3, ["delete"]):
        world = World.new(store, clock)
        world.sign_in()

        def listed(step: Step, world: World = world) -> Any:
            seen: Any = Stepping(world.store, step)
            accounts = Accounts(seen, "no demo", clock)
            session = Session(Ledger(seen, 0, clock), world.caller)
            return world.attempt(
                lambda: len(list_grants(session, Grants(seen, accounts, clock), accounts).acessos)
            )

        def delete(step: Step, world: World = world) -> None:
            step(lambda: world.store.delete_account(world.caller.account))

        outcomes = together(order, {"list": listed, "delete": delete})
        assert {InvalidKey, 0, 1} & {*outcomes}, order
