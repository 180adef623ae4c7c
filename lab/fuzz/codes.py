"""Pix codes: whatever text is read, whatever charge is asked for."""

import string
from binascii import crc_hqx
from contextlib import nullcontext
from decimal import Decimal
from random import Random
from typing import Any

from brcode import BrCode, InvalidCharge, decode, encode
from brcode.fields import FIELDS
from lab.fuzz import hostile
from lab.fuzz.driving import Open
from tests.unit.brcode.samples import CNPJ, CPF, EVP, PLACE, SHOP, VECTORS, signed, tlv

RIGHT = [vector["payload"] for vector in VECTORS]
KEYS = [CPF, CNPJ, EVP, "+5511987654321", "fulano@example.com", "529.982.247-25", "(11) 98765-4321"]
VALUES = {
    "key": KEYS,
    "location": [PLACE],
    "recurrence_location": [PLACE],
    "amount": ["1", 2, Decimal("3.30")],
}


def open_codes() -> Open:
    """A target: one text that is read, or one charge that is written and read back."""
    return nullcontext(lambda chance: _write(chance) if chance.random() < 0.3 else _read(chance))


def _read(chance: Random) -> None:
    text = _text(chance)
    decoded = decode(text)
    assert decoded.valid is (not decoded.errors)
    for finding in (*decoded.errors, *decoded.warnings):
        assert finding.detail("pt")
        assert finding.detail("en")
        assert finding.reference
    if decoded.valid:
        assert decoded.kind
        body, written = text[:-4], text[-4:]
        assert body.endswith("6304")
        assert f"{crc_hqx(body.encode(), 0xFFFF):04X}" == written.upper(), "a wrong checksum was taken"


def _text(chance: Random) -> str:
    way = chance.randrange(6)
    if way == 0:
        return hostile.text(chance, 400)
    if way == 1:
        return _tree(chance)
    changed = hostile.changed(chance, chance.choice(RIGHT))
    if way > 3 and len(changed) > 8:  # changed, and signed again, so that the rest of it is looked at
        body = changed[: changed.rfind("6304")] if "6304" in changed else changed
        return signed(body)
    return changed


def _tree(chance: Random) -> str:
    """Objects that may stand anywhere, with lengths that mostly fit."""
    objects: dict[str, Any] = {}
    for _ in range(chance.randrange(10)):
        tag = f"{chance.choice([*range(28), 52, 53, 54, 55, 58, 59, 60, 61, 62, 64, 80, 99]):02}"
        inner = {
            f"{chance.randrange(30):02}": hostile.text(chance, 20)[:70] for _ in range(chance.randrange(4))
        }
        inner |= (
            {"00": chance.choice(["br.gov.bcb.pix", "BR.GOV.BCB.PIX", "x"])} if chance.random() < 0.6 else {}
        )
        objects[tag] = inner if chance.random() < 0.5 else hostile.text(chance, 30)[:99]
    return signed(chance.choice(["000201", ""]) + tlv(dict(sorted(objects.items()))))


def _write(chance: Random) -> None:
    charge: dict[str, Any] = dict(SHOP)
    for name in [*chance.sample([*FIELDS], k=chance.randrange(6)), "key"]:
        charge[name] = (
            chance.choice(VALUES[name]) if name in VALUES and chance.random() < 0.6 else _any(chance)
        )
    if chance.random() < 0.5:
        charge = {name: charge[name] for name in ("key", *SHOP)}
    try:
        code = encode(**charge)
    except InvalidCharge as refused:
        issues = refused.issues
    else:
        _hold(code)
        return
    assert issues
    assert all(issue.detail(language) for issue in issues for language in ("pt", "en"))


def _hold(code: BrCode) -> None:
    """What was written is read the same."""
    decoded = decode(code.payload)
    assert decoded.valid
    assert decoded.kind is code.kind
    for name in ("key", "amount", "merchant_name", "merchant_city", "txid"):
        assert getattr(decoded.fields, name) == getattr(code, name)


def _any(chance: Random) -> Any:
    plain = "".join(chance.choices(string.ascii_letters + string.digits + " .-@", k=chance.randrange(30)))
    return plain if chance.random() < 0.5 else hostile.value(chance, 1)
