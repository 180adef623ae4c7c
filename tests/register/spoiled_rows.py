"""Rows that are written wrongly: the lines in place of a row's fields, and what must come of them."""

from collections.abc import Sequence

from tests.register.chance import Chance
from tests.register.defect import Change, Defect, Outcome, Spoil, as_it_is
from tests.register.layout import COMPANIES, ESTABLISHMENTS, KINDS, OPTIONS, PARTNERS, line
from tests.register.model import Company, Option
from tests.register.odd_values import with_letters

Row = Sequence[str]
_NOBODY = "99999999"  # a root that no invented company has
_TEXTS = (COMPANIES, ESTABLISHMENTS, PARTNERS)


def establishment_with_another_content(row: Row, chance: Chance) -> list[str]:
    """Two rows of a number: the one of the later situação counts, or else of the greater text."""
    older = (*row[:4], "ZZZ DEPOIS", row[5], "19010203", *row[7:])
    lesser = (*row[:4], "", *row[5:])
    return [line(row), line(chance.pick((older, lesser)))]


def cut_off(row: Row, chance: Chance) -> list[str]:
    """The line ends within the row, after the number."""
    return [line(row)[: chance.between(len(line(row[:3])), len(line(row[:-1])))]]


def column_missing(row: Row, chance: Chance) -> list[str]:
    place = chance.between(3, len(row) - 1)
    return [line((*row[:place], *row[place + 1 :]))]


def column_added(row: Row, chance: Chance) -> list[str]:
    place = chance.between(3, len(row))
    return [chance.pick((line((*row[:place], "X", *row[place:])), line(row) + ";"))]


def quote_not_closed(row: Row, chance: Chance) -> list[str]:
    place = _text_of(row)
    return [f'{line(row[:place])};"EXEMPLO;{line(row[place + 1 :])}']


def wrong_check_digits(row: Row, chance: Chance) -> list[str]:
    digits = f"{(int(row[2]) + chance.between(1, 99)) % 100:02}"
    return [line((*row[:2], digits, *row[3:]))]


def root_illegible(row: Row, chance: Chance) -> list[str]:
    root = row[0]
    odd = (root[:7], f"{root}0", f"{root[:3]}?{root[4:]}", "", f"{root[:4]}ç{root[5:]}")
    return [line((chance.pick(odd), *row[1:]))]


def _text_of(row: Row) -> int:
    """Return a column with a free text, by the number of columns."""
    return {7: 1, 30: 16, 11: 2}[len(row)]


def _with_text(text: str) -> Spoil:
    return lambda row, _: [line((*row[: _text_of(row)], text, *row[_text_of(row) + 1 :]))]


def _with_quotes(company: Company, chance: Chance) -> Company:
    return company._replace(name=f'"{company.name}" DE "EXEMPLO"')


def _with_letters(company: Company, chance: Chance) -> Company:
    return with_letters(company)


def _with_greater_texts(company: Company, chance: Chance) -> Company:
    """Return the company with greater texts than those of the rows that must not count."""
    branches = [branch._replace(trade_name="LOJA DE EXEMPLO") for branch in company.branches]
    return company._replace(simples=Option("S", "20200101"), branches=tuple(branches))


_RUBBISH = ("lixo", '"', '"";""', ";;;;;;;", "<html>", '"00000000')
_BLANK = ("", "  ", "****", "\0", "\xa0")
_HARMLESS: dict[str, tuple[Spoil, tuple[str, ...], str, Change]] = {
    "whole_duplicate": (lambda row, _: [line(row)] * 2, KINDS, "duplicate", as_it_is),
    "establishment_with_another_content": (
        establishment_with_another_content, (ESTABLISHMENTS,), "conflict", _with_greater_texts,
    ),
    "company_with_another_content": (
        lambda row, _: [line(row), line((row[0], f"AAA {row[1]}", *row[2:]))],
        (COMPANIES,), "conflict", _with_greater_texts,
    ),
    "options_with_another_content": (
        lambda row, _: [line(row), line((row[0], "N", *row[2:]))],
        (OPTIONS,), "conflict", _with_greater_texts,
    ),
    "escaped_quotes": (
        lambda row, _: [line([field.replace('"', '""') for field in row])], (COMPANIES,), "", _with_quotes,
    ),
    "windows_line_end": (lambda row, _: [line(row) + "\r"], KINDS, "", as_it_is),
    "empty_line": (lambda row, _: [line(row), ""], KINDS, "", as_it_is),
    "unquoted": (lambda row, _: [";".join(row)], KINDS, "", as_it_is),
    "lower_case_root": (lambda row, _: [line((row[0].lower(), *row[1:]))], KINDS, "", _with_letters),
    "row_of_nobody": (
        lambda row, _: [line(row), line((_NOBODY, *row[1:]))], (PARTNERS, OPTIONS), "orphan", as_it_is,
    ),
    "rubbish": (lambda row, chance: [line(row), chance.pick(_RUBBISH)], KINDS, "rejected", as_it_is),
}  # fmt: skip
# A text with quote, semicolon, quote may be two; one that is too long may be several rows.
_LOST: dict[str, tuple[Spoil, tuple[str, ...]]] = {
    "cut_off": (cut_off, KINDS),
    "column_missing": (column_missing, KINDS),
    "column_added": (column_added, KINDS),
    "separator_in_a_field": (_with_text('EXEMPLO ";" DOIS'), _TEXTS),
    "quote_not_closed": (quote_not_closed, _TEXTS),
    "text_too_long": (_with_text("EXEMPLO " * 625), _TEXTS),
    "capital_of_thousands_of_digits": (
        lambda row, _: [line((*row[:4], "9" * 3_000 + ",00", *row[5:]))], (COMPANIES,),
    ),
    "blank_name": (lambda row, chance: [line((row[0], chance.pick(_BLANK), *row[2:]))], (COMPANIES,)),
    "wrong_check_digits": (wrong_check_digits, (ESTABLISHMENTS,)),
    "no_company": (lambda _row, _: [], (COMPANIES,)),  # its establishments have no name
}  # fmt: skip


def _defect(
    name: str, kind: str, spoil: Spoil, outcome: Outcome, fate: str, change: Change = as_it_is
) -> Defect:
    return Defect(f"{name}:{kind}", change, kind, spoil, outcome, {fate: 1} if fate else {})


SPOILED = (
    *(
        _defect(name, kind, spoil, Outcome.HARMLESS, fate, change)
        for name, (spoil, kinds, fate, change) in _HARMLESS.items()
        for kind in kinds
    ),
    *(
        _defect(name, kind, spoil, Outcome.LOST, "" if name == "no_company" else "rejected")
        for name, (spoil, kinds) in _LOST.items()
        for kind in kinds
    ),
    _defect("root_illegible", ESTABLISHMENTS, root_illegible, Outcome.ILLEGIBLE, "rejected"),
)
