"""``decode-rules.md``: the rules of a code, from ``brcode.rules``, and the codes of refused fields."""

from brcode.encode_texts import ENCODE_TEXTS
from brcode.rules import REFERENCES, SOURCES, WARNINGS
from checks.reference.table import row

_HEAD = """# Decode rules

`POST /api/v1/skills/pix/decode` and `brcode.decode` report each rule that a code breaks by its id: in `erros`
if a norm requires it, in `alertas` if the code is legal but banks refused or misread such codes, or a norm
advises against them. Each finding says in its text what is wrong and how to correct it.

Sources: {sources}. *Seen in use*: no norm has it.
The Pix manual was read as published; the present BR Code manual, API Pix and DICT only in quotations.

| Source | Rules (W: warning) |
|---|---|"""
_ENCODE = """
Field codes of a refused Pix request (422 `invalid_fields`), beside those of [every request](errors.md):
"""


def render() -> str:
    """Return the document in Markdown."""
    sources: dict[str, list[str]] = {}
    for rule, source in REFERENCES.items():
        sources.setdefault(source, []).append(f"`{rule}`{' W' if rule in WARNINGS else ''}")
    head = _HEAD.format(sources="; ".join(f"*{short}*: {full}" for short, full in SOURCES.items()))
    rules = [row(_shorten(source), ", ".join(names)) for source, names in sources.items()]
    codes = ", ".join(f"`{code}`" for code in sorted(ENCODE_TEXTS))
    return "\n".join([head, *rules, _ENCODE, f"{codes}."])


def _shorten(source: str) -> str:
    for short, full in SOURCES.items():
        source = source.replace(full, short)
    return source.replace("visto em uso, sem norma", "seen in use")
