"""Limits of a month's rows, rejects and changes."""

from collections import Counter
from datetime import date

import pytest

from brskills_server.snapshot_builder.checks import (
    check_day,
    check_rejects,
    check_sample,
    register_issues,
)
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.file_checks import file_issues
from brskills_server.snapshot_builder.issues import ACCEPTABLE, print_accepted
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.read_rows import ReadRows
from tests.for_each import for_each

KINDS = ("Empresas", "Estabelecimentos", "Socios", "Simples")
ODD = ("orphans", "repeated", "repeated_partners", "contradicted", "unreadable")
SOUND = {"establishments": 1_000_000, "companies": 1_000_000} | dict.fromkeys(ODD, 0)
FILES = {f"Socios{n}.zip": 1_000 if n else 5_000 for n in range(10)}


def counts(rows, rejected=0):
    return {kind: {"rows": rows, "rejected": rejected, "nameless": 0} for kind in KINDS}


def changes(gone=0, lost=None, **fields):
    """Return changes; the fields are a company's."""
    return {
        "establishments": {"gone": gone, "fields": {}},
        "companies": {"gone": 0, "fields": fields, "lost": lost or {}},
    }


def read(number=1_000_000, by_file=FILES, filled=None, contents=None):
    """Return counts of files whose rows have every field, but for ``filled``."""
    whole = {kind: Counter(dict.fromkeys(layout.fields, number)) for kind, layout in LAYOUTS.items()}
    whole["Socios"]["key"] = number
    for kind, fields in (filled or {}).items():
        whole[kind] = Counter({**whole[kind], **fields})
    return ReadRows(counts(number), by_file, whole, contents or {})


def check_files(new, before=ReadRows()):  # noqa: B008, never changed
    print_accepted([*file_issues(new, before)], ())


FEW = read()
FEW.rows["Estabelecimentos"] = {"rows": 500_000, "rejected": 0, "nameless": 0}


def check_partners(*given):
    """Check the changes of a register in which a fifth of the companies have partners."""
    check_register(*given, filled=read(filled={"Socios": {"key": 200_000}}).filled)


def check_register(*given, filled=read().filled):  # noqa: B008, never changed
    print_accepted(register_issues(*given, filled), ())


PASSING = [
    (check_day, date(2026, 9, 12), None),
    (check_day, date(2026, 9, 12), date(2026, 9, 12)),
    (check_day, date(2026, 10, 10), date(2026, 9, 12)),
    (check_rejects, counts(100, 20)),
    (check_rejects, counts(1_000_000, 100)),
    (check_files, read(800_000)),
    (check_files, read(980_000), read()),
    (check_files, read(1_240_000), read()),
    (check_sample, Counter(compared=300, different=3)),
    (check_files, read(by_file=FILES | {"Socios3.zip": 400})),
    (check_files, read(by_file=FILES | {"Socios3.zip": 1, "Socios4.zip": 2_000}), read()),  # rows have moved
    (check_files, read(980_000, FILES | {"Socios3.zip": 860}), read()),
    (check_files, read(contents={"Socios3.zip": "7-1"}), read(contents={"Socios3.zip": "7-2"})),
    (check_files, read(filled={"Empresas": {"capital": 910_000}}), read()),
    (check_files, read(filled={"Empresas": {"capital": 510_000}})),
    (
        check_files,
        read(filled={"Estabelecimentos": {"fax": 0}}),
        read(filled={"Estabelecimentos": {"fax": 100}}),
    ),
    (check_register, SOUND, changes(partners=250_000, lost={"partners": 5_000, "simples": 20_000})),
    *((check_register, SOUND | {name: 1_100}, None) for name in ODD),
    (check_register, SOUND, changes(5_000)),
    (check_register, dict.fromkeys(SOUND, 100), changes(100)),  # of few, all may be odd
]
FAILING = [
    ("2026-08-15", check_day, date(2026, 8, 15), date(2026, 9, 12)),
    (r"^Empresas: 21 of 100 rows cannot be read\nEst.*\nSocios.*\nSimples.*", check_rejects, counts(100, 21)),
    ("Empresas: 101 of 1,000,000 rows cannot", check_rejects, counts(1_000_000, 101)),
    ("Empresas: there are no rows", check_rejects, counts(0)),
    ("Socios: 969,000 rows; expected are 969,900 to", check_files, read(969_000), read()),
    ("Socios: 1,300,000 rows", check_files, read(1_300_000), read()),
    (
        "4 of 300 look-ups differ in the cross-check: email 4",
        check_sample,
        Counter({"compared": 300, "different": 4, "different.email": 4}),
    ),
    ("no company", check_sample, Counter()),
    *(
        (
            r"^1,101 .* among 1,000,000 establishments( .*files.)?(\nto take .* (repeated|contradicted)\")?$",
            check_register,
            SOUND | {name: 1_101},
            None,
        )
        for name in ODD
    ),
    (
        "^Socios3.zip: 399 rows, and the other files have about 1,000: it may be incomplete",
        check_files,
        read(by_file=FILES | {"Socios3.zip": 399}),
    ),
    (
        "^Socios3.zip: 849 rows, and the month before had 1,000",
        check_files,
        read(980_000, FILES | {"Socios3.zip": 849}),
        read(),
    ),
    (
        "^Socios3.zip: the content is that of the month before",
        check_files,
        read(contents={"Socios3.zip": "7-1"}),
        read(contents={"Socios4.zip": "7-1"}),
    ),
    (
        "^Socios: 890,000 rows have a value in document; about 1,000,000 are expected",
        check_files,
        read(filled={"Socios": {"document": 890_000}}),
        read(),
    ),
    ("^Socios: 0 rows have a value in name", check_files, read(filled={"Socios": {"name": 0}})),
    (
        "^Empresas: 400,000 rows have a value in capital",
        check_files,
        read(filled={"Empresas": {"capital": 400_000}}),
    ),
    ("^Estabelecimentos: 500,000 rows are few beside 1,000,000", check_files, FEW),
    ("^5,101 of .* have lost every partner", check_register, SOUND, changes(lost={"partners": 5_101})),
    ("^20,101 of .* have left MEI", check_register, SOUND, changes(lost={"mei": 20_101})),
    ("^50,101 of 200,000 .* another partners", check_partners, SOUND, changes(partners=50_101)),
    ("^250,101 of .* another capital than", check_register, SOUND, changes(capital=250_101)),
    ("^30,000 establishments have gone", check_register, SOUND, changes(30_000)),
]


@for_each(("check", "given"), [(check, given) for check, *given in PASSING])
def test_likely_months_pass(check, given):
    check(*given)


@for_each(("reason", "check", "given"), [(reason, *rest[:1], rest[1:]) for reason, *rest in FAILING])
def test_unlikely_months_fail(reason, check, given):
    with pytest.raises(SnapshotError, match=reason):
        check(*given)


def test_what_is_accepted_is_printed_and_the_rest_is_refused(capsys):
    issues = register_issues(
        SOUND | {"repeated": 2_000},
        changes(partners=300_000, mei_since=300_000, capital=300_000),
        read().filled,
    )
    assert {issue.accept for issue in issues} == {"repeated", "socios", "simples", "empresas"}
    print_accepted(issues, ACCEPTABLE)
    assert capsys.readouterr().out.splitlines() == [f"accepted: {issue.text}" for issue in issues]
    with pytest.raises(SnapshotError) as refused:
        print_accepted(issues, ("socios", "empresas"))
    *texts, last = refused.value.reasons
    assert texts == [issue.text for issue in issues if issue.accept in {"repeated", "simples"}]
    assert last.endswith(': ARGS="--accept repeated --accept simples"')


@pytest.mark.parametrize("name", ["orphans", "unreadable"])
def test_nobody_can_accept_wrong_rows(name):
    with pytest.raises(SnapshotError) as refused:
        print_accepted(register_issues(SOUND | {name: 2_000, "repeated": 2_000}, None, {}), ACCEPTABLE)
    assert "--accept" not in str(refused.value)
