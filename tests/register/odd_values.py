"""Odd values that the files hold: each changes a company, whose truth follows from the new values."""

from collections.abc import Callable

from tests.register.chance import Chance
from tests.register.digits import cnpj_digits
from tests.register.model import Branch, Company, Option, Partner
from tests.register.partners import invent_partners, person
from tests.register.tables import MISSING_COUNTRIES, MISSING_REASON, NEW_REASON
from tests.register.words import COMPLEMENTS

__all__ = ["CHANGES", "with_letters"]


def zero_dates(company: Company, chance: Chance) -> Company:
    """Days are written 0 or 00000000: there is none."""
    return _with_dates(company, lambda: chance.pick(("0", "00000000", "")))


def impossible_dates(company: Company, chance: Chance) -> Company:
    """Days that no calendar has: there is none."""
    return _with_dates(
        company, lambda: chance.pick(("20230231", "99999999", "20231301", "19000229", "2023", "200A0101"))
    )


def postcode_of_seven_digits(company: Company, chance: Chance) -> Company:
    """A CEP lost its first zero: eight digits again."""
    return _at_branch(company, chance, postcode=chance.number(7))


def postcode_of_zeros(company: Company, chance: Chance) -> Company:
    """A CEP of zeros alone: there is none."""
    return _at_branch(company, chance, postcode=chance.pick(("0", "00000000", "0000000")))


def capital_sentinel(company: Company, chance: Chance) -> Company:
    """The mark for an unknown capital: there is none."""
    return company._replace(capital="999999999999,00")


def capital_that_is_none(company: Company, chance: Chance) -> Company:
    """A capital below zero, of 10**18 and more, or not an amount: there is none."""
    return company._replace(
        capital=chance.pick(("-1000,00", "9" * 25 + ",00", "", "MIL REAIS", "1" + "0" * 18 + ",00"))
    )


def reason_in_no_table(company: Company, chance: Chance) -> Company:
    """A reason that the month's table lacks, and the project's own has."""
    return _at_branch(company, chance, state="04", reason=MISSING_REASON)


def reason_of_the_month(company: Company, chance: Chance) -> Company:
    """A reason that the month's table alone explains."""
    return _at_branch(company, chance, state="08", reason=NEW_REASON[0])


def country_in_no_table(company: Company, chance: Chance) -> Company:
    """Countries that the month's table lacks, and the project's own has."""
    company = _at_branch(
        company, chance, uf="EX", municipality="9707", country=chance.pick(MISSING_COUNTRIES)
    )
    return _at_partner(company, chance, kind="3", document="", country=chance.pick(MISSING_COUNTRIES))


def equal_masked_documents(company: Company, chance: Chance) -> Company:
    """Two people of one company have the same six digits: both are partners."""
    one, other = invent_partners(chance, 2)
    same = {"kind": "2", "document": chance.masked_cpf(), "country": ""}
    twins = (one._replace(**same), other._replace(**same, name=f"{other.name} IRMÃO"))
    return company._replace(partners=(*company.partners, *twins))


def partner_in_two_roles(company: Company, chance: Chance) -> Company:
    """One partner in two rows that differ in the role alone: both stand."""
    one = invent_partners(chance, 1)[0]
    return company._replace(partners=(*company.partners, one._replace(role="49"), one._replace(role="10")))


def partner_without_a_name(company: Company, chance: Chance) -> Company:
    """A partner whose name is blank: nobody."""
    return _at_partner(company, chance, name=chance.pick(("", " ", "***")))


def partner_with_a_full_cpf(company: Company, chance: Chance) -> Company:
    """CPFs that somebody forgot to mask: they are masked."""
    return _at_partner(company, chance, kind="2", document=chance.cpf(), agent_document=chance.cpf())


def stray_quotes(company: Company, chance: Chance) -> Company:
    """Quotes that nobody escaped, at any place of a text: they belong to it."""
    company = _at_partner(company, chance, name=_quoted(chance, person(chance)))
    company = _at_branch(
        company, chance, trade_name=_quoted(chance, "LOJA DE EXEMPLO"), email='"@exemplo.com.br'
    )
    return company._replace(name=_quoted(chance, company.name))


def quote_at_the_end_of_a_row(company: Company, chance: Chance) -> Company:
    """The last letter of the last field is a quote."""
    company = _at_branch(company, chance, special_state='FALIDO"', special_date='20200101"')
    company = _at_partner(company, chance, age_band='"')
    return company._replace(jurisdiction='MUNICIPIO DE "EXEMPLO"')


def backslashes(company: Company, chance: Chance) -> Company:
    """Backslashes, also before a quote and at the end of a field: they escape nothing."""
    company = _at_branch(
        company, chance, complement=r"CASA\FUNDOS", street="DO FIM\\", trade_name='LOJA \\"DOIS\\"'
    )
    company = _at_partner(company, chance, name=person(chance) + "\\")
    return company._replace(name=f"{company.name}\\", jurisdiction="\\")


def nul_bytes(company: Company, chance: Chance) -> Company:
    """NUL bytes are blanks."""
    company = _at_branch(
        company, chance, street="\0DO\0COMERCIO \0", complement="\0\0", reason="01\0", area_1="1\x001"
    )
    company = _at_partner(company, chance, name=person(chance).replace(" ", "\0"))
    return company._replace(name=f"{company.name}\0", nature="2062\0")


def nul_bytes_in_a_cpf(company: Company, chance: Chance) -> Company:
    """A CPF with NUL bytes between its groups is one, and masked."""
    cpf = chance.cpf()
    return company._replace(name=f"{person(chance)} {cpf[:3]}\0{cpf[3:6]}\0{cpf[6:9]}\0{cpf[9:]}")


def control_characters(company: Company, chance: Chance) -> Company:
    """Control characters of both ranges are blanks."""
    odd = [chr(code) for code in (*range(1, 9), 11, 12, *range(14, 32), *range(0x7F, 0xA0))]
    company = _at_branch(
        company, chance, street="".join(f"A{one}B" for one in odd), district=f"\t{chance.pick(odd)}"
    )
    return company._replace(name=f"{chance.pick(odd)}{company.name}{chance.pick(odd)}")


def non_breaking_spaces(company: Company, chance: Chance) -> Company:
    """A space that does not break is a blank."""
    company = _at_branch(company, chance, complement="\xa0", district="\xa0CENTRO\xa0\xa0VELHO")
    return company._replace(name=company.name.replace(" ", "\xa0"))


def line_feed_in_a_field(company: Company, chance: Chance) -> Company:
    """A line feed inside of quotes is a blank of the text, and ends no row."""
    end = chance.pick(("\n", "\r\n", "\n\n"))
    company = _at_branch(company, chance, trade_name=f"DOCE LAR DOIS{end}INCORPORADORA")
    return company._replace(name=company.name.replace(" ", end, 1))


def carriage_return_in_a_field(company: Company, chance: Chance) -> Company:
    """A carriage return inside of quotes is a blank of the text."""
    return _at_branch(company, chance, complement="CASA\rFUNDOS", street="\rDO SOL\r")


def semicolon_in_a_field(company: Company, chance: Chance) -> Company:
    """A semicolon inside of quotes separates nothing."""
    company = _at_branch(
        company, chance, complement=f"{chance.pick(COMPLEMENTS)}; FUNDOS;", district=";CENTRO"
    )
    company = _at_partner(company, chance, name=f"{person(chance)}; OUTRO")
    return company._replace(name=f"{company.name};")


def codes_without_zeros(company: Company, chance: Chance) -> Company:
    """Codes lost their first zeros: they have their width again."""
    company = _at_branch(
        company,
        chance,
        state="4",
        reason="1",
        activity="111301",
        other_activities="600001,6204000",
        municipality="3",
    )
    company = _at_branch(company, chance, uf="EX", country="23") if chance.happens(0.5) else company
    return _at_partner(company, chance, role="8", country="23", agent_role="5")._replace(size="3", nature="0")


def codes_nobody_knows(company: Company, chance: Chance) -> Company:
    """Codes that no table has: they stand without a text; a country is only its text."""
    odd = {"state": "09", "reason": "98", "activity": "9999999", "municipality": "9998", "country": "996"}
    company = _at_branch(company, chance, **odd, head_office="3", other_activities="1234567,6204000")
    company = _at_partner(company, chance, kind="9", role="99", country="996", age_band="X")
    return company._replace(size="07", nature="9999")


def values_that_are_not_codes(company: Company, chance: Chance) -> Company:
    """Words and too many digits where a code should be: there is none."""
    odd = {
        "state": "ATIVA",
        "reason": "123",
        "activity": "X",
        "municipality": "99999",
        "postcode": "012345678",
    }
    company = _at_branch(company, chance, **odd, country="1058", other_activities="6204-A,,0000000,6204000")
    return company._replace(size="ME", nature="20622")


def nothing_told(company: Company, chance: Chance) -> Company:
    """Every field that may be empty is."""
    kept = ("order", "digits")
    branch = company.branches[0]
    empty = branch._replace(**dict.fromkeys(set(Branch._fields) - set(kept), ""))
    company = company._replace(
        nature="", responsible="", capital="", size="", jurisdiction="", mei=Option("", "", "")
    )
    return company._replace(simples=Option("", "", ""), branches=(empty, *company.branches[1:]))


def asterisks_and_blanks(company: Company, chance: Chance) -> Company:
    """Asterisks or blanks alone are how the register writes nothing."""
    company = _at_branch(
        company, chance, trade_name="********", complement="   ", email="*", street="***", uf=" "
    )
    return company._replace(jurisdiction="**")


def spaces_everywhere(company: Company, chance: Chance) -> Company:
    """Runs of blanks, before, after and within: one blank within."""
    company = _at_branch(
        company, chance, street="  DO   COMERCIO  ", street_number=" 0 7 ", email=" A@EXEMPLO.COM.BR"
    )
    return company._replace(name=f"  {company.name.replace(' ', '   ')} ")


def cpf_in_every_text(company: Company, chance: Chance) -> Company:
    """CPFs, plain or with their marks, in every text: all are masked."""
    texts = (
        "trade_name",
        "street",
        "street_number",
        "complement",
        "district",
        "email",
        "special_state",
        "street_type",
    )
    company = _at_branch(company, chance, **{name: _with_cpf(chance) for name in texts})
    company = _at_partner(company, chance, name=_with_cpf(chance), agent_name=_with_cpf(chance))
    return company._replace(name=_with_cpf(chance), jurisdiction=_with_cpf(chance))


def long_texts(company: Company, chance: Chance) -> Company:
    """A text of 2,000 characters, the longest that a record may have."""
    company = _at_branch(company, chance, complement="CASA " * 399 + "FUNDO")
    return company._replace(name="A" * 2_000)


def repeated_and_odd_phones(company: Company, chance: Chance) -> Company:
    """The same telephone twice is one; zeros are none; of marks only the digits stay."""
    odd = chance.pick(
        (("55550100", "55550100"), ("0", "00000000"), ("5555-0100", "(5555) 0100"), ("", "123456"))
    )
    area = chance.pick(("11", "00", "", "0"))
    return _at_branch(
        company,
        chance,
        area_1=area,
        phone_1=odd[0],
        area_2=area,
        phone_2=odd[1],
        fax_area="11",
        fax="55550199",
    )


def options_that_never_were(company: Company, chance: Chance) -> Company:
    """Left on the day of the option: never, without dates; neither S nor N: not told."""
    day = chance.day()
    mei = chance.pick(
        (Option(" ", "0", "0"), Option("N", "0", ""), Option("S", "20230231", "0"), Option("X", day))
    )
    return company._replace(simples=Option("N", day, day), mei=mei)


def letters_in_the_order(company: Company, chance: Chance) -> Company:
    """The head office's order has letters, and its company's root too."""
    head_office, *others = company.branches
    return with_letters(company._replace(branches=(head_office._replace(order="00ZX"), *others)))


def with_letters(company: Company) -> Company:
    """The company under a root with a letter that no other company has."""
    second = company.root[1]
    letter = chr(75 + int(second)) if second.isdigit() else chr(ord(second) + 10)
    root = f"{company.root[0]}{letter}{company.root[2:]}"
    branches = [branch._replace(digits=cnpj_digits(root + branch.order)) for branch in company.branches]
    return company._replace(root=root, branches=tuple(branches))


def _quoted(chance: Chance, text: str) -> str:
    first, _, rest = text.partition(" ")
    forms = (f'{first} "{rest}"', f'"{text}', f'{text}"', f'"{text}"', f'{first}"{rest}', f'"{first}" {rest}')
    return chance.pick(forms)


def _with_cpf(chance: Chance) -> str:
    cpf = chance.cpf()
    dotted = f"{cpf[:3]}.{cpf[3:6]}.{cpf[6:9]}-{cpf[9:]}"
    return chance.pick((f"EXEMPLO {cpf}", f"{dotted} EXEMPLO", f"CPF {cpf[:9]}-{cpf[9:]}.", cpf, f"A{cpf}B"))


def _with_dates(company: Company, day: Callable[[], str]) -> Company:
    branches = tuple(b._replace(state_date=day(), opened=day(), special_date=day()) for b in company.branches)
    partners = tuple(partner._replace(since=day()) for partner in company.partners)
    return company._replace(
        branches=branches, partners=partners, simples=Option("S", day(), day()), mei=Option("N", day(), day())
    )


def _at_branch(company: Company, chance: Chance, **values: str) -> Company:
    """The company with other values in one establishment."""
    branches = list(company.branches)
    place = chance.between(0, len(branches) - 1)
    branches[place] = branches[place]._replace(**values)
    return company._replace(branches=tuple(branches))


def _at_partner(company: Company, chance: Chance, **values: str) -> Company:
    """The company with one partner more, who has these values."""
    partner: Partner = invent_partners(chance, 1)[0]._replace(**values)
    return company._replace(partners=(*company.partners, partner))


CHANGES = (
    zero_dates,
    impossible_dates,
    postcode_of_seven_digits,
    postcode_of_zeros,
    capital_sentinel,
    capital_that_is_none,
    reason_in_no_table,
    reason_of_the_month,
    country_in_no_table,
    equal_masked_documents,
    partner_in_two_roles,
    partner_without_a_name,
    partner_with_a_full_cpf,
    stray_quotes,
    quote_at_the_end_of_a_row,
    backslashes,
    nul_bytes,
    nul_bytes_in_a_cpf,
    control_characters,
    non_breaking_spaces,
    line_feed_in_a_field,
    carriage_return_in_a_field,
    semicolon_in_a_field,
    codes_without_zeros,
    codes_nobody_knows,
    values_that_are_not_codes,
    nothing_told,
    asterisks_and_blanks,
    spaces_everywhere,
    cpf_in_every_text,
    long_texts,
    repeated_and_odd_phones,
    options_that_never_were,
    letters_in_the_order,
)
