"""One Python contender's answers to the tricky charges: ``{"code": …}`` or ``{"refused": …}`` for each.

Reads ``{"contender": name, "charges": […]}`` from standard input.
"""

import contextlib
import io
import json
import sys
from decimal import Decimal
from typing import Any


def ours(charge: dict[str, Any]) -> str:
    """Numbers arrive as a caller of the API sends them: as written."""
    from brcode import encode

    amount = charge["amount"]
    return encode(
        key=charge["key"],
        amount=amount if amount is None else Decimal(str(amount)),
        merchant_name=charge["name"],
        merchant_city=charge["city"],
        txid=charge["txid"],
        description=charge["description"],
    ).payload


def pybrcode(charge: dict[str, Any]) -> str:
    """Its one function, or the classes under it where the amount is open."""
    from pybrcode.pix import Pix, PixKeyURI, generate_simple_pix

    txid = charge["txid"]
    if charge["amount"] is not None:
        amount = float(charge["amount"])
        return str(
            generate_simple_pix(
                charge["name"], charge["key"], charge["city"], amount, txid, description=charge["description"]
            )
        )
    pix = Pix()
    pix.setMname(charge["name"])
    pix.setMaiKey(PixKeyURI(charge["key"]).toData(), charge["description"])
    pix.setMcity(charge["city"])
    pix.setPixID(txid)
    return str(pix)


def starkbank(charge: dict[str, Any]) -> str:
    """Amounts in cents, as its caller would have to make them."""
    from brcode.static import fromJson

    given = {"key": charge["key"], "name": charge["name"], "city": charge["city"], "txid": charge["txid"]}
    if charge["amount"] is not None:
        given["amount"] = float(charge["amount"]) * 100
    if charge["description"]:
        given["description"] = charge["description"]
    return fromJson(given)


CONTENDERS = {"brskills": ours, "pybrcode": pybrcode, "starkbank-brcode": starkbank}

if __name__ == "__main__":
    order = json.load(sys.stdin)
    answers = []
    with contextlib.redirect_stdout(io.StringIO()):
        for charge in order["charges"]:
            try:
                answers.append({"code": CONTENDERS[order["contender"]](charge)})
            except Exception as refused:  # whatever it raises is its way to refuse
                answers.append({"refused": f"{type(refused).__name__}: {refused}"})
    print(json.dumps(answers))
