"""Signed charges: whatever is signed, written into the header or listed as keys."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from cryptography.hazmat.primitives.asymmetric import rsa

from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import VALID
from brskills_server.skills.payee.claim import Claim
from brskills_server.skills.payee.followed import follow_claim
from lab.fuzz import hostile
from lab.fuzz.driving import Target
from tests.services.confirming import decoded, is_confirmed, result_of
from tests.services.psp import NOW, Authority, Psp, cob, cobv, pem, rec

HOST = "pix.psp.example"
KINDS = (cob, lambda: cobv("2026-12-01"), rec)
CLAIM = Claim(None, None, "Loja", "", locations=(f"{HOST}/x", None), amount="49.90", txid="PEDIDO42")


@contextmanager
def open_charges() -> Iterator[Target]:
    """Open a target that verifies changed charges; OpenSSL confirms those that are valid."""
    root = Authority.root()
    issuer = root.intermediate()
    psps = [Psp.at(HOST, issuer), Psp.at(HOST, issuer, key=rsa.generate_private_key(65537, 2048))]
    with TemporaryDirectory() as folder:
        roots = Path(folder) / "roots.pem"
        roots.write_bytes(pem(root.certificate))
        trust = Trust(str(roots))
        signed = [(psp, psp.sign(make())) for psp in psps for make in KINDS]  # RSA's takes most of the time
        yield lambda chance: _try(chance, *chance.choice(signed), trust, roots)


def _try(chance: Random, psp: Psp, body: bytes, trust: Trust, roots: Path) -> None:
    way, keys = chance.randrange(6), json.loads(psp.keys())
    if way < 2 and not isinstance(psp.key, rsa.RSAPrivateKey):
        payload = decoded(body.split(b".")[1]).decode()
        if way == 0:
            payload = json.dumps(hostile.changed_json(chance, json.loads(payload)))
        else:
            payload = hostile.changed(chance, payload)
        body = psp.sign(payload.encode(errors="replace"))
    if way == 2:
        header, *rest = body.split(b".")
        head = json.dumps(hostile.changed_json(chance, json.loads(decoded(header)))).encode()
        body = b".".join((base64.urlsafe_b64encode(head).rstrip(b"="), *rest))
    elif way == 3:
        keys = hostile.changed_json(chance, keys)
    elif way == 4:
        keys["keys"][0]["x5c"] = [_flipped(chance, each) for each in psp.jwk["x5c"]]
    elif way == 5:
        body = hostile.changed(chance, body.decode()).encode(errors="replace")
    listed = json.dumps(keys).encode()
    found = result_of(HOST, body, listed, trust)
    followed = follow_claim(CLAIM, lambda _: [found], NOW)
    text = json.dumps(followed.as_answer(), ensure_ascii=False)
    text += json.dumps([followed.claim, followed.alerts], ensure_ascii=False, default=repr)
    text.encode()
    if way > 1:  # else the PSP may have signed a debtor's name as another part
        assert "Secret" not in text
    assert (found.charge is not None) == (found.state == VALID)
    if found.state == VALID and way > 1:
        assert is_confirmed(body, keys, psp, roots)


def _flipped(chance: Random, encoded: str) -> str:
    """Return a certificate, perhaps with a bit changed: mostly around its signature."""
    der = bytearray(base64.b64decode(encoded))
    if chance.random() < 0.5:
        place = chance.choice([chance.randrange(len(der)), chance.randrange(len(der) - 90, len(der))])
        der[place] ^= 1 << chance.randrange(8)
    return base64.b64encode(der).decode()
