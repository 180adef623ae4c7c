"""The table of tricky charges: who writes the right code, who refuses, and who writes a wrong one.

Right is a code that breaks no rule and says what was meant. Where nothing right can be written, or only by
guessing, refusing is right; elsewhere it is at least harmless.
"""

import json
import sys
from pathlib import Path

from tests.bench.brcode import environment

CHARGES = Path(__file__).parent / "tricky.json"
PLAIN = {
    "key": "52998224725", "type": "cpf", "amount": None, "name": "Fulano de Tal", "city": "Brasilia",
    "txid": "PEDIDO42", "description": None,
}  # fmt: skip
LATER = ("amount", "name", "city", "txid", "description")


def charges():
    """Every field of every charge; a masked key for what only wants one, so that no peer fails by its key."""
    made = []
    for tricky in json.loads(CHARGES.read_text()):
        charge = {**PLAIN, **tricky}
        charge["description"] = (charge["description"] or "") + charge.pop("more", "") or None
        made.append(charge)
    return made


def answers(contender, asked):
    """What a contender makes of the charges."""
    if contender == "pix-utils (npm)":
        return json.loads(environment.node(json.dumps(asked)))
    runner = environment.ours if contender == "brskills" else environment.theirs
    if contender == "pybrcode":  # which recognizes a CPF by its mask
        asked = [
            c if "right" not in c or "key" in c["given"] else {**c, "key": "529.982.247-25"} for c in asked
        ]
    return json.loads(runner("answer.py", json.dumps({"contender": contender, "charges": asked})))


def judge(charge, answer):
    """Whether an answer is right or harmless, and what it is called in the table."""
    from brcode import decode

    if "refused" in answer:
        return True, "refused"
    decoded = decode(answer["code"])
    broken = [finding.rule for finding in (*decoded.errors, *decoded.warnings) if finding.rule != "gui_case"]
    if broken:
        return False, f"**wrong**: {broken[0]}"
    right = charge["right"]
    if right is None:
        return False, "**wrong**: not refused"
    for field, value in right.items():
        found = getattr(decoded.fields, field)
        if found.casefold() != value.casefold() and not is_a_cut(field, found, charge):
            return False, f"**wrong**: {field} {found!r}"
    return True, "right"


def is_a_cut(field, found, charge):
    """A name cut within a word is a bad name, but the code works: we ask more of ourselves only."""
    given = charge["name" if field == "merchant_name" else "city"]
    return field != "key" and len(given) > len(found) and given.casefold().startswith(found.casefold())


def table():
    """Markdown: a row for each charge, the score of each contender at the end."""
    asked = charges()
    for charge, tricky in zip(asked, json.loads(CHARGES.read_text()), strict=True):
        charge["given"] = list(tricky)
    contenders = [
        "brskills",
        "pybrcode",
        "starkbank-brcode",
        *(["pix-utils (npm)"] if environment.has_node() else []),
    ]
    given = {contender: answers(contender, asked) for contender in contenders}
    lines = [f"| | Input | {' | '.join(contenders)} |", "|---:|---|" + "---|" * len(contenders)]
    score = dict.fromkeys(contenders, 0)
    for number, charge in enumerate(asked):
        cells = []
        for contender in contenders:
            good, text = judge(charge, given[contender][number])
            score[contender] += good
            cells.append(text)
        lines.append(f"| {number + 1} | {charge['what']} | {' | '.join(cells)} |")
    totals = " | ".join(f"**{score[contender]} of {len(asked)}**" for contender in contenders)
    return "\n".join([*lines, f"| | right or refused | {totals} |"])


if __name__ == "__main__":
    sys.path.insert(0, str(environment.ROOT / "layers" / "shared"))
    environment.prepare()
    print(table())
