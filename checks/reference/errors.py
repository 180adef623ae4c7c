"""``errors.md``: every problem and every code of a refused field, from the tables that write them."""

import re

from brskills_server.skills.issues import FIELD_TEXTS
from brskills_server.web.problem_table import PROBLEMS
from checks.reference.table import row

_HEAD = """# Errors

Every error is `application/problem+json`: `type`, `title`, `status`, `detail`, `code`, `request_id`, and for
422 `invalid_fields` the faulty fields in `errors` (`campo`, `code`, `detail`; at most 50, then `errors_total`
says how many). `detail` is in Portuguese, or in English by `Accept-Language`; `code` never changes. How to
react: [guide](../guides/en/errors.md).

## Problems

`detail` begins as below and continues with what to do.

| Status | Code | Meaning |
|---|---|---|"""
_FIELDS = """
## Fields

| Code | Meaning |
|---|---|"""
_TAIL = """
Refused Pix fields have [more codes](decode-rules.md). `{parameters}` in a text are filled in."""


def render() -> str:
    """Return the document in Markdown."""
    kinds = sorted(
        (kind.status, code, kind.texts["en"].detail) for code, kind in PROBLEMS.items() if ":" not in code
    )
    problems = [row(status, f"`{code}`", _plain(_first_sentence(detail))) for status, code, detail in kinds]
    fields = [row(f"`{code}`", _plain(texts["en"])) for code, texts in sorted(FIELD_TEXTS.items())]
    return "\n".join([_HEAD, *problems, _FIELDS, *fields, _TAIL])


def _first_sentence(detail: str) -> str:
    return detail.partition(". ")[0].removesuffix(".") + "."


def _plain(detail: str) -> str:
    return re.sub(r"\{[^}]*\}", lambda found: f"`{found[0]}`", detail)
