"""The form of what a location answers: a JWS in compact form (RFC 7515 §7.1), and its header."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
_MOST_LETTERS = 300
_SCHEME = "https://"
_FORM = re.compile(rb"\s*([\w-]+\.[\w-]+\.[\w-]*)\s*")


class Unreadable(Exception):
    """Something that has not the form expected; the message is a code of ``motivos``."""


class Invalid(Exception):
    """Something that proves a signature wrong; the message is a code of ``motivos``."""


class SignedPayload(NamedTuple):
    """A JWS before its signature was checked. ``remarks``: codes of ``motivos`` on its form."""

    text: str
    header: dict[str, Any]
    algorithm: str
    key_id: str
    keys_address: str
    remarks: tuple[str, ...] = ()


def read_signed_payload(body: bytes, host: str) -> SignedPayload:
    """Return the JWS in a body that came from ``host``. Raise ``Unreadable`` or ``Invalid``.

    White space around it is left out, a ``jku`` without scheme is one of https; both are remarked.
    """
    match = _FORM.fullmatch(body)
    if match is None:
        raise Unreadable("resposta_ilegivel")
    text = match[1].decode("ascii")
    header = read_object(decode_base64(text.partition(".")[0]))
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise Invalid("algoritmo_nao_permitido")
    if "crit" in header or header.get("b64", True) is not True:
        raise Invalid("extensao_nao_permitida")
    if text.endswith("."):
        raise Invalid("assinatura_errada")
    key_id, address = header.get("kid"), header.get("jku")
    if not isinstance(key_id, str) or not key_id:
        raise Unreadable("kid_ausente")
    if not isinstance(address, str) or not address:
        raise Unreadable("jku_ausente")
    remarks = tuple(_remarks(body, match[1], address))
    return SignedPayload(text, header, algorithm, key_id, keys_address(address, host), remarks)


def _remarks(body: bytes, signed: bytes, address: str) -> Iterator[str]:
    if signed != body:
        yield "espacos_em_volta"
    if not _has_scheme(address):
        yield "jku_sem_esquema"


def _has_scheme(address: str) -> bool:
    return address[: len(_SCHEME)].lower() == _SCHEME


def keys_address(address: str, host: str) -> str:
    """Return the address of the keys, which is https on the location's own host. Raise ``Invalid``."""
    bare = address[len(_SCHEME) :] if _has_scheme(address) else address
    there, slash, _ = bare.partition("/")
    same = there.lower() in {host.lower(), f"{host.lower()}:443"}
    if not (same and slash and bare.isascii() and bare.isprintable()) or set(bare) & set(' "<>\\#'):
        raise Invalid("jku_de_outro_endereco")
    if len(bare) > _MOST_LETTERS:
        raise Invalid("jku_de_outro_endereco")
    return f"https://{host}{bare[len(there) :]}"


def read_object(text: bytes) -> dict[str, Any]:
    """Return a JSON object. Raise ``Unreadable``, also for a name that is there twice."""
    try:
        content = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Unreadable("resposta_ilegivel") from None
    if not isinstance(content, dict):
        raise Unreadable("resposta_ilegivel")
    return content


def decode_base64(text: str) -> bytes:
    """Return what base64url without padding encodes. Raise ``Unreadable``."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable("resposta_ilegivel") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _refuse(_text: str) -> Any:
    raise ValueError
