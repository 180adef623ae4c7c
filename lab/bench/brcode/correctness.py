"""The table of tricky charges: contenders that write the right code, refuse, or write a wrong one.

Right is a code that breaks no rule and says what was meant. Where nothing right can be written, or only by
guessing, refusing is right; elsewhere it is at least harmless.
"""

import json
from pathlib import Path

from lab.bench.brcode import environment

MOST = 6
"""Inputs that are named of those that a contender writes wrong."""
CHARGES = Path(__file__).parent / "tricky.json"
PLAIN = {
    "key": "52998224725", "type": "cpf", "amount": None, "name": "Fulano de Tal", "city": "Brasilia",
    "txid": "PEDIDO42", "description": None,
}  # fmt: skip


def charges():
    """Return every field of every charge, and ``given``: the fields that are not plain."""
    made = []
    for tricky in json.loads(CHARGES.read_text()):
        charge = {**PLAIN, **tricky, "given": list(tricky)}
        charge["description"] = (charge["description"] or "") + charge.pop("more", "") or None
        made.append(charge)
    return made


def answers(contender, asked):
    """Return a contender's answers to the charges."""
    if contender == "pix-utils (npm)":
        return environment.run_node(asked)
    if contender == "pybrcode":  # it recognizes a CPF by its mask
        asked = [
            c if "right" not in c or "key" in c["given"] else {**c, "key": "529.982.247-25"} for c in asked
        ]
    return environment.run(contender, asked)


def judge(charge, answer):
    """Return whether an answer is right or harmless, and its cell of the table."""
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
    """Return whether a name was cut within a word: a bad name, but the code works."""
    given = charge["name" if field == "merchant_name" else "city"]
    return field != "key" and len(given) > len(found) and given.casefold().startswith(found.casefold())


def table():
    """Return the score of each contender, and what it writes wrong."""
    asked = charges()
    npm = ["pix-utils (npm)"] if environment.has_node() else []
    contenders = ["brskills", "pybrcode", "starkbank-brcode", *npm]
    given = {contender: answers(contender, asked) for contender in contenders}
    wrong: dict[str, list[str]] = {contender: [] for contender in contenders}
    for number, charge in enumerate(asked):
        for contender in contenders:
            good, _ = judge(charge, given[contender][number])
            if not good:
                wrong[contender].append(charge["what"])
    lines = ["| | Right or refused | Wrong |", "|---|---:|---|"]
    for contender, inputs in wrong.items():
        named = ", ".join(inputs[:MOST]) + (f" and {len(inputs) - MOST} more" if len(inputs) > MOST else "")
        lines.append(f"| {contender} | **{len(asked) - len(inputs)} of {len(asked)}** | {named} |")
    return "\n".join(lines)
