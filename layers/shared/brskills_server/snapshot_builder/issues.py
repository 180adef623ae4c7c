"""Reasons to refuse a month, and which of them an operator accepts. (The command line imports no more.)"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from brskills_server.snapshot_builder.errors import SnapshotError

ACCEPTABLE = ("empresas", "estabelecimentos", "socios", "simples", "repeated")
"""What an operator may accept: a kind of file, or rows that exist twice."""


class Issue(NamedTuple):
    """A reason to refuse a month. ``accept``: one of `ACCEPTABLE`, or empty if nobody may accept it."""

    accept: str
    text: str


def print_accepted(issues: Sequence[Issue], accepted: Collection[str]) -> None:
    """Print the issues, all of which the operator accepts. Raise `SnapshotError` if there are others."""
    refused = [issue for issue in issues if issue.accept not in accepted]
    if refused:
        ways = " ".join(f"--accept {way}" for way in sorted({issue.accept for issue in refused}))
        acceptable = all(issue.accept for issue in refused)
        hint = f'to take the month as it is, whatever else is unusual in these files: ARGS="{ways}"'
        raise SnapshotError(*(issue.text for issue in refused), *([hint] if acceptable else []))
    for issue in issues:
        print(f"accepted: {issue.text}", flush=True)
