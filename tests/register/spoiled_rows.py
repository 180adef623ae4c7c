"""Rows that are written wrongly: each takes a row's fields and gives the lines that stand in its place."""

from collections.abc import Iterator, Sequence

from tests.register.chance import Chance
from tests.register.defect import Change, Defect, Outcome, Spoil, as_it_is
from tests.register.model import Company, Option
from tests.register.odd_values import with_letters
from tests.register.rows import COMPANIES, ESTABLISHMENTS, KINDS, OPTIONS, PARTNERS, line

__all__ = ["SPOILED"]

_NOBODY = "99999999"  # a root that no invented company has


def whole_duplicate(row: Sequence[str], chance: Chance) -> list[str]:
    """The same row twice: it counts once."""
    return [line(row)] * 2


def establishment_with_another_content(row: Sequence[str], chance: Chance) -> list[str]:
    """Two rows of a number: that with the later day of its situação stands, else that of the greater text."""
    older = (*row[:4], "ZZZ DEPOIS", row[5], "19010203", *row[7:])
    lesser = (*row[:4], "", *row[5:])
    return [line(row), line(chance.pick((older, lesser)))]


def company_with_another_content(row: Sequence[str], chance: Chance) -> list[str]:
    """Two rows of a root: the one with the greater text, field by field, stands."""
    return [line(row), line((row[0], f"AAA {row[1]}", *row[2:]))]


def options_with_another_content(row: Sequence[str], chance: Chance) -> list[str]:
    """Two rows of a root: the one with the greater text, field by field, stands."""
    return [line(row), line((row[0], "N", *row[2:]))]


def escaped_quotes(row: Sequence[str], chance: Chance) -> list[str]:
    """Quotes that are escaped as CSV has it, by doubling: each pair is one."""
    return [line([field.replace('"', '""') for field in row])]


def windows_line_end(row: Sequence[str], chance: Chance) -> list[str]:
    """The line ends in CR LF."""
    return [line(row) + "\r"]


def empty_line(row: Sequence[str], chance: Chance) -> list[str]:
    """An empty line after the row: it is not a row."""
    return [line(row), ""]


def unquoted(row: Sequence[str], chance: Chance) -> list[str]:
    """Nothing is quoted, and nothing needs it."""
    return [";".join(row)]


def lower_case_root(row: Sequence[str], chance: Chance) -> list[str]:
    """The letters of the number are small: it is the same number."""
    return [line((row[0].lower(), *row[1:]))]


def row_of_nobody(row: Sequence[str], chance: Chance) -> list[str]:
    """A row of a root that does not exist."""
    return [line(row), line((_NOBODY, *row[1:]))]


def rubbish(row: Sequence[str], chance: Chance) -> list[str]:
    """A line that is not a row, after the row."""
    return [line(row), chance.pick(("lixo", '"', '"";""', ";;;;;;;", "<html>", '"00000000'))]


def cut_off(row: Sequence[str], chance: Chance) -> list[str]:
    """The line ends in the middle of the row, after the number."""
    text = line(row)
    return [text[: chance.between(len(line(row[:3])), len(line(row[:-1])))]]


def column_missing(row: Sequence[str], chance: Chance) -> list[str]:
    """A column too few, at the end or within."""
    place = chance.between(3, len(row) - 1)
    return [line((*row[:place], *row[place + 1 :]))]


def column_added(row: Sequence[str], chance: Chance) -> list[str]:
    """A column too many, at the end or within, or a separator after the last."""
    place = chance.between(3, len(row))
    return [chance.pick((line((*row[:place], "X", *row[place:])), line(row) + ";"))]


def separator_in_a_field(row: Sequence[str], chance: Chance) -> list[str]:
    """A text holds quote, semicolon, quote: nobody can tell it from two."""
    place = _text_of(row)
    return [line((*row[:place], 'EXEMPLO ";" DOIS', *row[place + 1 :]))]


def quote_not_closed(row: Sequence[str], chance: Chance) -> list[str]:
    """A text lacks its last quote."""
    place = _text_of(row)
    return [f'{line(row[:place])};"EXEMPLO;{line(row[place + 1 :])}']


def text_too_long(row: Sequence[str], chance: Chance) -> list[str]:
    """A text of 5,000 characters, more than a record may have: it may be several rows."""
    place = _text_of(row)
    return [line((*row[:place], "EXEMPLO " * 625, *row[place + 1 :]))]


def capital_of_thousands_of_digits(row: Sequence[str], chance: Chance) -> list[str]:
    """A capital of more characters than any field may have."""
    return [line((*row[:4], "9" * 3_000 + ",00", *row[5:]))]


def blank_name(row: Sequence[str], chance: Chance) -> list[str]:
    """A company without a name: there is no such record."""
    return [line((row[0], chance.pick(("", "  ", "****", "\0", "\xa0")), *row[2:]))]


def wrong_check_digits(row: Sequence[str], chance: Chance) -> list[str]:
    """The check digits are not those of the number: it is another's, or nobody's."""
    digits = f"{(int(row[2]) + chance.between(1, 99)) % 100:02}"
    return [line((*row[:2], digits, *row[3:]))]


def root_illegible(row: Sequence[str], chance: Chance) -> list[str]:
    """The number itself cannot be read."""
    root = row[0]
    return [
        line(
            (
                chance.pick((root[:7], f"{root}0", f"{root[:3]}?{root[4:]}", "", f"{root[:4]}ç{root[5:]}")),
                *row[1:],
            )
        )
    ]


def no_company(row: Sequence[str], chance: Chance) -> list[str]:
    """The company's row is missing from Empresas: its establishments have no name."""
    return []


def _text_of(row: Sequence[str]) -> int:
    """A column with a free text, by the number of columns."""
    return {7: 1, 30: 16, 11: 2}[len(row)]


def _with_quotes(company: Company, chance: Chance) -> Company:
    return company._replace(name=f'"{company.name}" DE "EXEMPLO"')


def _with_letters(company: Company, chance: Chance) -> Company:
    return with_letters(company)


def _with_greater_texts(company: Company, chance: Chance) -> Company:
    """The company with texts that are greater than those of the rows that must not stand."""
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
_LOST: tuple[tuple[Spoil, tuple[str, ...]], ...] = (
    (cut_off, KINDS),
    (column_missing, KINDS),
    (column_added, KINDS),
    (separator_in_a_field, _TEXTS),
    (quote_not_closed, _TEXTS),
    (text_too_long, _TEXTS),
    (capital_of_thousands_of_digits, (COMPANIES,)),
    (blank_name, (COMPANIES,)),
    (wrong_check_digits, (ESTABLISHMENTS,)),
)


def _all() -> Iterator[Defect]:
    for spoil, kinds, fate, change in _HARMLESS:
        for kind in kinds:
            yield Defect(_name(spoil, kind), change, kind, spoil, counts={fate: 1} if fate else {})
    for spoil, kinds in _LOST:
        for kind in kinds:
            yield Defect(_name(spoil, kind), as_it_is, kind, spoil, Outcome.LOST, {"rejected": 1})
    yield Defect(_name(no_company, COMPANIES), as_it_is, COMPANIES, no_company, Outcome.LOST)
    once = {"rejected": 1}
    yield Defect(
        _name(root_illegible, ESTABLISHMENTS),
        as_it_is,
        ESTABLISHMENTS,
        root_illegible,
        Outcome.ILLEGIBLE,
        once,
    )


def _name(spoil: Spoil, kind: str) -> str:
    return f"{spoil.__name__}:{kind}"


SPOILED = tuple(_all())
