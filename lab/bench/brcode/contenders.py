"""One contender in one process, in either environment: what it writes for charges, or its time for each.

Reads ``{"contender": name, "charges": […]}``, or ``"codes"``, from standard input; ``"measure": true`` for
times. Prints for each charge ``{"code": …}`` or ``{"refused": …}``, or microseconds.
"""

import contextlib
import io
import json
import sys
import timeit
from binascii import crc_hqx
from collections.abc import Callable
from decimal import Decimal
from typing import Any

Charge = dict[str, Any]
Call = Callable[[], Any]


def ours(charge: Charge) -> Call:
    """Validation, adjustment and reading back included; numbers as a caller of the API writes them."""
    from brcode import encode

    amount = charge["amount"]
    arguments = {
        "key": charge["key"],
        "amount": Decimal(str(amount)) if isinstance(amount, float) else amount,
        "merchant_name": charge["name"],
        "merchant_city": charge["city"],
        "txid": charge["txid"],
        "description": charge["description"],
    }
    return lambda: encode(**arguments).payload


def floor(charge: Charge) -> Call:
    """The least that makes a code: one f-string and the CRC, nothing checked."""

    def write(key: str, amount: str | None, name: str, city: str, txid: str) -> str:
        price = f"54{len(amount):02d}{amount}" if amount else ""
        code = (
            f"00020126{len(key) + 22:02d}0014br.gov.bcb.pix01{len(key):02d}{key}520400005303986{price}5802BR"
            f"59{len(name):02d}{name}60{len(city):02d}{city}62{len(txid) + 4:02d}05{len(txid):02d}{txid}6304"
        )
        return f"{code}{crc_hqx(code.encode(), 0xFFFF):04X}"

    given = [charge[name] for name in ("key", "amount", "name", "city", "txid")]
    return lambda: write(*given)


def pix_utils(charge: Charge) -> Call:
    """The amount is a float by its signature."""
    from pix_utils import Pix

    code = Pix.Code if hasattr(Pix, "Code") else sys.modules["pix_utils.Pix"].Code
    amount = float(charge["amount"]) if charge["amount"] else None
    return lambda: code(charge["key"], charge["name"], charge["city"], amount, charge["txid"])


def pybrcode(charge: Charge) -> Call:
    """Its one function, or the classes under it where the amount is open."""
    from pybrcode.pix import Pix, PixKeyURI, generate_simple_pix

    key, name, city, txid = (charge[field] for field in ("key", "name", "city", "txid"))
    description = charge["description"]

    def open_amount() -> str:
        pix = Pix()
        pix.setMname(name)
        pix.setMaiKey(PixKeyURI(key).toData(), description)
        pix.setMcity(city)
        pix.setPixID(txid)
        return str(pix)

    if charge["amount"] is None:
        return open_amount
    amount = float(charge["amount"])
    return lambda: str(generate_simple_pix(name, key, city, amount, txid, description=description))


def starkbank(charge: Charge) -> Call:
    """Amounts in cents, as its caller would have to make them."""
    from brcode.static import fromJson

    given = {name: charge[name] for name in ("key", "name", "city", "txid")}
    if charge["amount"] is not None:
        given["amount"] = float(charge["amount"]) * 100
    if charge["description"]:
        given["description"] = charge["description"]
    return lambda: fromJson(given)


def ours_decode(code: str) -> Call:
    """Every rule included."""
    from brcode import decode

    return lambda: decode(code)


def starkbank_decode(code: str) -> Call:
    """Its own function, which checks lengths and the CRC."""
    from brcode.utils.brcodeId import jsonFromBrcode

    return lambda: jsonFromBrcode(code)


CONTENDERS: dict[str, Callable[[Any], Call]] = {
    "brskills": ours,
    "floor": floor,
    "pix-utils": pix_utils,
    "pybrcode": pybrcode,
    "starkbank-brcode": starkbank,
    "brskills decode": ours_decode,
    "starkbank-brcode decode": starkbank_decode,
}


def answer(contender: str, charge: Charge) -> dict[str, str]:
    try:
        return {"code": CONTENDERS[contender](charge)()}
    except Exception as refused:  # any exception is its way to refuse
        return {"refused": f"{type(refused).__name__}: {refused}"}


def best(call: Call) -> float:
    """Return the microseconds of the fastest of seven repeats of about two milliseconds each."""
    once = timeit.timeit(call, number=20) / 20
    number = max(5, int(0.002 / once))
    return min(timeit.repeat(call, number=number, repeat=7)) / number * 1e6


if __name__ == "__main__":
    order = json.load(sys.stdin)
    contender, inputs = order["contender"], order.get("charges") or order["codes"]
    with contextlib.redirect_stdout(io.StringIO()):  # pybrcode prints each phone
        if order.get("measure"):
            results: list[Any] = [best(CONTENDERS[contender](one)) for one in inputs]
        else:
            results = [answer(contender, one) for one in inputs]
    print(json.dumps(results))
