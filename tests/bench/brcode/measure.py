"""One contender, one process: microseconds a call for each charge of the mix, best of a few repeats.

Reads ``{"contender": name, "codes": [payload, …]}`` from standard input and prints a list. Runs in either
environment and imports only the contender it is asked for.
"""

import contextlib
import io
import json
import sys
import timeit
from binascii import crc_hqx
from collections.abc import Callable, Iterator
from typing import Any

from charges import MIX, TXID

Call = Callable[[], Any]


def ours(masked: bool) -> Iterator[Call]:
    """Validation, adjustment and reading back included."""
    from brcode import encode

    for charge in MIX:
        key = charge.masked if masked else charge.key
        yield lambda c=charge, key=key: encode(
            key=key, amount=c.amount, merchant_name=c.name, merchant_city=c.city, txid=TXID
        )


def floor() -> Iterator[Call]:
    """The least that makes a code: one f-string and the CRC, nothing checked."""

    def write(key: str, amount: str | None, name: str, city: str, txid: str) -> str:
        price = f"54{len(amount):02d}{amount}" if amount else ""
        code = (
            f"00020126{len(key) + 22:02d}0014br.gov.bcb.pix01{len(key):02d}{key}520400005303986{price}5802BR"
            f"59{len(name):02d}{name}60{len(city):02d}{city}62{len(txid) + 4:02d}05{len(txid):02d}{txid}6304"
        )
        return f"{code}{crc_hqx(code.encode(), 0xFFFF):04X}"

    for charge in MIX:
        yield lambda c=charge: write(c.key, c.amount, c.plain_name, c.plain_city, TXID)


def pix_utils() -> Iterator[Call]:
    """Given names without accents, on which it fails; the amount is a float by its signature."""
    from pix_utils import Pix

    code = Pix.Code if hasattr(Pix, "Code") else sys.modules["pix_utils.Pix"].Code
    for charge in MIX:
        value = float(charge.amount) if charge.amount else None
        yield lambda c=charge, value=value: code(c.key, c.plain_name, c.plain_city, value, TXID)


def pybrcode() -> Iterator[Call]:
    """Given masked keys, from which it infers their types; open amounts by the classes under its function."""
    from pybrcode.pix import Pix, PixKeyURI, generate_simple_pix

    def open_amount(name: str, key: str, city: str) -> str:
        pix = Pix()
        pix.setMname(name)
        pix.setMaiKey(PixKeyURI(key).toData())
        pix.setMcity(city)
        pix.setPixID(TXID)
        return str(pix)

    for charge in MIX:
        if charge.amount:
            value = float(charge.amount)
            yield lambda c=charge, value=value: str(
                generate_simple_pix(c.name, c.masked, c.city, value, TXID)
            )
        else:
            yield lambda c=charge: open_amount(c.name, c.masked, c.city)


def starkbank() -> Iterator[Call]:
    """Amounts in cents."""
    from brcode.static import fromJson

    for charge in MIX:
        given = {"key": charge.key, "name": charge.name, "city": charge.city, "txid": TXID}
        if charge.amount:
            given["amount"] = int(charge.amount.replace(".", ""))
        yield lambda given=given: fromJson(given)


def ours_decode(codes: list[str]) -> Iterator[Call]:
    """Every rule included."""
    from brcode import decode

    for code in codes:
        yield lambda code=code: decode(code)


def starkbank_decode(codes: list[str]) -> Iterator[Call]:
    """Its own function, which checks lengths and the CRC."""
    from brcode.utils.brcodeId import jsonFromBrcode

    for code in codes:
        yield lambda code=code: jsonFromBrcode(code)


CONTENDERS = {
    "ours": lambda codes: ours(masked=False),
    "ours, masked keys": lambda codes: ours(masked=True),
    "floor": lambda codes: floor(),
    "pix-utils": lambda codes: pix_utils(),
    "pybrcode": lambda codes: pybrcode(),
    "starkbank-brcode": lambda codes: starkbank(),
    "ours decode": ours_decode,
    "starkbank-brcode decode": starkbank_decode,
}


def best(call: Call) -> float:
    """Microseconds of the fastest of seven repeats of about two milliseconds each."""
    once = timeit.timeit(call, number=20) / 20
    number = max(5, int(0.002 / once))
    return min(timeit.repeat(call, number=number, repeat=7)) / number * 1e6


if __name__ == "__main__":
    order = json.load(sys.stdin)
    with contextlib.redirect_stdout(io.StringIO()):  # pybrcode prints each phone
        times = [best(call) for call in CONTENDERS[order["contender"]](order["codes"])]
    print(json.dumps(times))
