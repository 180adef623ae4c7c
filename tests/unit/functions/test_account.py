"""A rotation that the store does not confirm: the answer carries the new key, and no log does."""

import json

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.web.application import Application
from functions.account import app


class Silent:
    """A store that applies a rotation and confirms nothing from then on."""

    def __init__(self, store) -> None:
        self._store = store
        self._rotated = False

    def __getattr__(self, operation: str):
        def run(*arguments, **named):
            if self._rotated:
                raise StoreUnavailable("silent")
            result = getattr(self._store, operation)(*arguments, **named)
            if operation == "rotate_key":
                self._rotated = True
                raise StoreUnavailable("silent")
            return result

        return run


@pytest.mark.parametrize(("language", "text"), [("pt", "a antiga"), ("en", "the old one")])
def test_an_unconfirmed_rotation_hands_the_new_key_on(store, monkeypatch, capsys, language, text) -> None:
    sound = Accounts(store, None)
    caller, _ = sound.identify(sound.open("free").api_key)
    silent = Silent(store)
    monkeypatch.setattr(app.services.accounts, "_store", silent)
    monkeypatch.setattr(app.services.accounts, "_pause", lambda _: None)
    monkeypatch.setattr(app.services.ledger, "store", silent)
    event = {
        "httpMethod": "POST",
        "resource": "/api/v1/keys/rotate",
        "headers": {"Accept-Language": language},
        "requestContext": {"requestId": "r-1", "authorizer": {"account": caller.account, "key": caller.key}},
    }
    answer = Application(f"keys-{language}", app.handler.routes)(event, None)
    content = json.loads(answer["body"])
    assert (answer["statusCode"], content["code"]) == (503, "store_unavailable")
    assert text in content["detail"]
    assert answer["headers"]["Cache-Control"] == "no-store"
    assert "Retry-After" not in answer["headers"]
    assert sound.identify(content["api_key"])[0].account == caller.account
    logged = capsys.readouterr()
    assert "a rotation was not confirmed" in logged.out
    assert content["api_key"] not in logged.out + logged.err
