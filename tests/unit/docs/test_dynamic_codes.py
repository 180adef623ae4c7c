"""The table of ``motivos`` is complete."""

import re

from tests.services.gateway import ROOT

CHARGES = ROOT / "layers/shared/brskills_server/charges"
RAISED = re.compile(
    r'(?:Invalid|Unreadable|Untrusted)\("(\w+)"\)|(?:INVALID|UNVERIFIED), \("(\w+)",\)|'
    r'return \("(\w+)",\)|else \("(\w+)",\)|yield "(\w+)"|'
    r'remarks\["(\w+)"\]|"(x5t_\w+)"|"(c\w+)" if named else "(c\w+)"'
)


def test_every_reason_is_in_the_table_and_no_other() -> None:
    source = "".join(path.read_text() for path in CHARGES.glob("*.py"))
    raised = {code for groups in RAISED.findall(source) for code in groups if code}
    table = (ROOT / "docs/evidence/dynamic-codes.md").read_text(encoding="utf-8").partition("|---|")[2]
    reasons = {
        code for line in table.splitlines() for code in re.findall(r"`(\w+)`", line.rsplit("|", 2)[-2:][0])
    }
    assert raised == {code for code in reasons if not code.startswith("http_")}
