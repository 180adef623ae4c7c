"""The invented companies: the same each time, valid in their numbers, and of every kind."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxid import cnpj, cpf
from tests.register.company import FIRST, companies, invent, root_of
from tests.register.digits import cnpj_digits, cpf_digits
from tests.register.rows import ESTABLISHMENTS, fields_of
from tests.register.words import codes

MANY = list(companies(seed=7, count=20_000))
PARTNERS = [partner for company in MANY for partner in company.partners]
BRANCHES = [branch for company in MANY for branch in company.branches]


def share(found: list[bool]) -> float:
    return sum(found) / len(found)


def test_the_same_seed_gives_the_same_companies_in_any_part() -> None:
    assert list(companies(7, 100)) == MANY[:100]
    assert list(companies(7, 10, first=FIRST + 3, step=50)) == MANY[3:503:50]
    assert list(companies(8, 100)) != MANY[:100]


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=12, max_size=12))
def test_check_digits_of_a_cnpj(number: str) -> None:
    whole = number + cnpj_digits(number)
    assert cnpj.is_valid(whole) or whole == whole[0] * 14


@given(st.text("0123456789", min_size=9, max_size=9))
def test_check_digits_of_a_cpf(number: str) -> None:
    whole = number + cpf_digits(number)
    assert cpf.is_valid(whole) or whole == whole[0] * 11


def test_numbers_are_valid_and_each_is_one_companys() -> None:
    numbers = [number for company in MANY for number in company.numbers()]
    assert all(map(cnpj.is_valid, numbers))
    assert len(set(numbers)) == len(numbers)
    assert len({root_of(number) for number in range(FIRST, FIRST + 300_000)}) == 300_000


def test_shares_are_those_of_the_register() -> None:
    assert share([len(company.branches) == 1 for company in MANY]) == pytest.approx(0.92, abs=0.01)
    assert share([bool(company.partners) for company in MANY]) == pytest.approx(0.40, abs=0.02)
    assert share([cpf.is_valid(company.name[-11:]) for company in MANY]) == pytest.approx(1 / 6, abs=0.01)
    assert share([partner.agent_document == "***000000**" for partner in PARTNERS]) == pytest.approx(
        0.97, abs=0.01
    )


def test_rows_have_the_size_of_real_ones() -> None:
    sizes = [sum(map(len, row)) + 3 * 30 for company in MANY for row in fields_of(company, ESTABLISHMENTS)]
    assert sum(sizes) / len(sizes) == pytest.approx(225, abs=15)


def test_every_kind_is_there() -> None:
    assert {branch.state for branch in BRANCHES} == codes("situacoes").keys()
    assert {company.size for company in MANY} == codes("portes").keys()
    assert {partner.kind for partner in PARTNERS} == {"1", "2", "3"}
    assert {partner.kind for partner in PARTNERS if partner.country} == {"1", "3"}
    assert {len(branch.phone_1) for branch in BRANCHES} == {0, 6, 7, 8, 9}
    assert {branch.head_office for branch in BRANCHES} == {"1", "2"}
    assert Counter(branch.uf for branch in BRANCHES)["EX"] > 10
    assert {company.root.isdigit() for company in MANY} == {True, False}
    assert {branch.order.isdigit() for branch in BRANCHES} == {True, False}
    assert {company.simples is None for company in MANY} == {True, False}
    assert any(company.jurisdiction for company in MANY)


def test_a_few_are_very_large() -> None:
    assert len(invent(1, 10_054_321).branches) >= 2_000
    assert len(invent(1, 10_077_777).partners) == 3_000
    assert len(set(invent(1, 10_054_321).numbers())) == len(invent(1, 10_054_321).branches)
    told = invent(1, FIRST, branches=12, partners=300)
    assert (len(told.branches), len(told.partners)) == (12, 300)
    assert len(list(islice(companies(1, 5), 10))) == 5
