"""The keys that sign proofs: made once, kept in the store, and replaced with overlap."""

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

CACHE_SECONDS = 300
"""How long a process, and a caller, uses the keys that it has read."""

OVERLAP_SECONDS = 2 * CACHE_SECONDS
"""After which a new key signs: until then everybody has read it."""

Jwk = dict[str, Any]
_PRIVATE, _SINCE = "d", "since"


class KeysChanged(Exception):
    """Another process has replaced the keys at the same time."""


class ProofKeyStore(Protocol):
    """The keys as one text."""

    def proof_keys(self, proposed: bytes) -> bytes:
        """Return the keys, which are ``proposed`` if there were none."""

    def replace_proof_keys(self, known: bytes, replacing: bytes) -> bool:
        """Replace keys that are ``known``; return ``False`` if others are there."""


class ProofKeys:
    """The keys of a deployment, oldest first. ``clock``: Unix seconds. Raises ``StoreUnavailable``."""

    def __init__(self, store: ProofKeyStore, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock
        self._known: list[Jwk] = []
        self._read_at = float("-inf")

    def signing_key(self) -> Jwk:
        """Return the newest key that signs already, with its private part."""
        now = self._clock()
        keys = self._read(now)
        return _plain(next((key for key in reversed(keys) if key[_SINCE] <= now), keys[0]))

    def public_keys(self) -> list[Jwk]:
        """Return the public parts of all keys, also of those that sign no more."""
        found = [_plain(key) for key in self._read(self._clock())]
        return [{name: value for name, value in key.items() if name != _PRIVATE} for key in found]

    def add(self) -> str:
        """Add a key that signs after ``OVERLAP_SECONDS``; return its id. Raise ``KeysChanged``."""
        known = self._store.proof_keys(_text([_new_key(0)]))
        key = _new_key(int(self._clock()) + OVERLAP_SECONDS)
        if not self._store.replace_proof_keys(known, _text([*json.loads(known), key])):
            raise KeysChanged
        return str(key["kid"])

    def _read(self, now: float) -> list[Jwk]:
        if not self._read_at <= now < self._read_at + CACHE_SECONDS:  # a clock may be set back
            self._known = json.loads(self._store.proof_keys(_text([_new_key(0)])))
            self._read_at = now
        return self._known


def _new_key(since: int) -> Jwk:
    from joserfc.jwk import ECKey  # imports cryptography, which few calls need

    key = ECKey.generate_key("P-256", {"alg": "ES256", "use": "sig"}, auto_kid=True)
    return {**key.as_dict(private=True), _SINCE: since}


def _text(keys: list[Jwk]) -> bytes:
    return json.dumps(keys, separators=(",", ":")).encode()


def _plain(key: Jwk) -> Jwk:
    return {name: value for name, value in key.items() if name != _SINCE}
