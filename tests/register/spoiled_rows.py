"""Rows that are written wrongly: each function takes a row's fields and returns the lines in its place."""

from collections.abc import Iterator, Sequence

from tests.register.chance import Chance
from tests.register.defect import Change, Defect, Outcome, Spoil, as_it_is
from tests.register.layout import COMPANIES, ESTABLISHMENTS, KINDS, OPTIONS, PARTNERS, line
from tests.register.model import Company, Option
from tests.register.odd_values import with_letters

Row = Sequence[str]
_NOBODY = "99999999"  # a root that no invented company has


def establishment_with_another_content(row: Row, chance: Chance) -> list[str]:
    """Two rows of a number: the one of the later situação counts, or else of the greater text."""
    older = (*row[:4], "ZZZ DEPOIS", row[5], "19010203", *row[7:])
    lesser = (*row[:4], "", *row[5:])
    return [line(row), line(chance.pick((older, lesser)))]


def company_with_another_content(row: Row, chance: Chance) -> list[str]:
    """Two rows of a root: the one with the greater text, field by field, counts."""
    return [line(row), line((row[0], f"AAA {row[1]}", *row[2:]))]


def options_with_another_content(row: Row, chance: Chance) -> list[str]:
    return [line(row), line((row[0], "N", *row[2:]))]


def whole_duplicate(row: Row, chance: Chance) -> list[str]:
    return [line(row)] * 2


def escaped_quotes(row: Row, chance: Chance) -> list[str]:
    """Quotes doubled as in CSV: each pair is one."""
    return [line([field.replace('"', '""') for field in row])]


def windows_line_end(row: Row, chance: Chance) -> list[str]:
    return [line(row) + "\r"]


def empty_line(row: Row, chance: Chance) -> list[str]:
    return [line(row), ""]


def unquoted(row: Row, chance: Chance) -> list[str]:
    return [";".join(row)]


def lower_case_root(row: Row, chance: Chance) -> list[str]:
    return [line((row[0].lower(), *row[1:]))]


def row_of_nobody(row: Row, chance: Chance) -> list[str]:
    return [line(row), line((_NOBODY, *row[1:]))]


def rubbish(row: Row, chance: Chance) -> list[str]:
    return [line(row), chance.pick(("lixo", '"', '"";""', ";;;;;;;", "<html>", '"00000000'))]


def cut_off(row: Row, chance: Chance) -> list[str]:
    """The line ends within the row, after the number."""
    return [line(row)[: chance.between(len(line(row[:3])), len(line(row[:-1])))]]


def column_missing(row: Row, chance: Chance) -> list[str]:
    place = chance.between(3, len(row) - 1)
    return [line((*row[:place], *row[place + 1 :]))]


def column_added(row: Row, chance: Chance) -> list[str]:
    place = chance.between(3, len(row))
    return [chance.pick((line((*row[:place], "X", *row[place:])), line(row) + ";"))]


def separator_in_a_field(row: Row, chance: Chance) -> list[str]:
    """A text with quote, semicolon, quote may be two."""
    place = _text_of(row)
    return [line((*row[:place], 'EXEMPLO ";" DOIS', *row[place + 1 :]))]


def quote_not_closed(row: Row, chance: Chance) -> list[str]:
    place = _text_of(row)
    return [f'{line(row[:place])};"EXEMPLO;{line(row[place + 1 :])}']


def text_too_long(row: Row, chance: Chance) -> list[str]:
    """A text of more characters than a record may have may be several rows."""
    place = _text_of(row)
    return [line((*row[:place], "EXEMPLO " * 625, *row[place + 1 :]))]


def capital_of_thousands_of_digits(row: Row, chance: Chance) -> list[str]:
    return [line((*row[:4], "9" * 3_000 + ",00", *row[5:]))]


def blank_name(row: Row, chance: Chance) -> list[str]:
    return [line((row[0], chance.pick(("", "  ", "****", "\0", "\xa0")), *row[2:]))]


def wrong_check_digits(row: Row, chance: Chance) -> list[str]:
    digits = f"{(int(row[2]) + chance.between(1, 99)) % 100:02}"
    return [line((*row[:2], digits, *row[3:]))]


def root_illegible(row: Row, chance: Chance) -> list[str]:
    root = row[0]
    odd = (root[:7], f"{root}0", f"{root[:3]}?{root[4:]}", "", f"{root[:4]}ç{root[5:]}")
    return [line((chance.pick(odd), *row[1:]))]


def no_company(row: Row, chance: Chance) -> list[str]:
    """The company's row is missing: its establishments have no name."""
    return []


def _text_of(row: Row) -> int:
    """Return a column with a free text, by the number of columns."""
    return {7: 1, 30: 16, 11: 2}[len(row)]


def _with_quotes(company: Company, chance: Chance) -> Company:
    return company._replace(name=f'"{company.name}" DE "EXEMPLO"')


def _with_letters(company: Company, chance: Chance) -> Company:
    return with_letters(company)


def _with_greater_texts(company: Company, chance: Chance) -> Company:
    """Return the company with greater texts than those of the rows that must not count."""
    branches = [branch._replace(trade_name="LOJA DE EXEMPLO") for branch in company.branches]
    return company._replace(simples=Option("S", "20200101"), branches=tuple(branches))


_TEXTS = (COMPANIES, ESTABLISHMENTS, PARTNERS)
_HARMLESS: tuple[tuple[Spoil, tuple[str, ...], str, Change], ...] = (
    (whole_duplicate, KINDS, "duplicate", as_it_is),
    (establishment_with_another_content, (ESTABLISHMENTS,), "conflict", _with_greater_texts),
    (company_with_another_content, (COMPANIES,), "conflict", _with_greater_texts),
    (options_with_another_content, (OPTIONS,), "conflict", _with_greater_texts),
    (escaped_quotes, (COMPANIES,), "", _with_quotes),
    (windows_line_end, KINDS, "", as_it_is),
    (empty_line, KINDS, "", as_it_is),
    (unquoted, KINDS, "", as_it_is),
    (lower_case_root, KINDS, "", _with_letters),
    (row_of_nobody, (PARTNERS, OPTIONS), "orphan", as_it_is),
    (rubbish, KINDS, "rejected", as_it_is),
)
_LOST: tuple[tuple[Spoil, tuple[str, ...], str], ...] = (
    (cut_off, KINDS, "rejected"),
    (column_missing, KINDS, "rejected"),
    (column_added, KINDS, "rejected"),
    (separator_in_a_field, _TEXTS, "rejected"),
    (quote_not_closed, _TEXTS, "rejected"),
    (text_too_long, _TEXTS, "rejected"),
    (capital_of_thousands_of_digits, (COMPANIES,), "rejected"),
    (blank_name, (COMPANIES,), "rejected"),
    (wrong_check_digits, (ESTABLISHMENTS,), "rejected"),
    (no_company, (COMPANIES,), ""),
)


def _all() -> Iterator[Defect]:
    for spoil, kinds, fate, change in _HARMLESS:
        for kind in kinds:
            yield _defect(spoil, kind, change, Outcome.HARMLESS, fate)
    for spoil, kinds, fate in _LOST:
        for kind in kinds:
            yield _defect(spoil, kind, as_it_is, Outcome.LOST, fate)
    yield _defect(root_illegible, ESTABLISHMENTS, as_it_is, Outcome.ILLEGIBLE, "rejected")


def _defect(spoil: Spoil, kind: str, change: Change, outcome: Outcome, fate: str) -> Defect:
    return Defect(f"{spoil.__name__}:{kind}", change, kind, spoil, outcome, {fate: 1} if fate else {})


SPOILED = tuple(_all())
