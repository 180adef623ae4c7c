"""Odd values of published files: each function changes a company, whose truth follows from the new values."""

from collections.abc import Callable

from tests.register.chance import Chance
from tests.register.digits import cnpj_digits
from tests.register.layout import MISSING_COUNTRIES, MISSING_REASON, NEW_REASON
from tests.register.model import Branch, Company, Option, Partner
from tests.register.partners import invent_partners, person

_CONTROLS = [chr(code) for code in (*range(1, 9), 11, 12, *range(14, 32), *range(0x7F, 0xA0))]


def zero_dates(company: Company, chance: Chance) -> Company:
    return _with_dates(company, lambda: chance.pick(("0", "00000000", "")))


def impossible_dates(company: Company, chance: Chance) -> Company:
    days = ("20230231", "99999999", "20231301", "19000229", "2023", "200A0101")
    return _with_dates(company, lambda: chance.pick(days))


def odd_postcodes(company: Company, chance: Chance) -> Company:
    """A CEP without its first zero has eight digits again; one of zeros is none."""
    return _at_branch(company, chance, postcode=chance.pick((chance.number(7), "0", "00000000")))


def capital_mark(company: Company, chance: Chance) -> Company:
    """The register's mark for an unknown capital is none."""
    return company._replace(capital="999999999999,00")


def capital_that_is_none(company: Company, chance: Chance) -> Company:
    odd = ("-1000,00", "9" * 25 + ",00", "", "MIL REAIS", "1" + "0" * 18 + ",00")
    return company._replace(capital=chance.pick(odd))


def reason_only_in_the_project(company: Company, chance: Chance) -> Company:
    return _at_branch(company, chance, state="04", reason=MISSING_REASON)


def reason_only_in_the_month(company: Company, chance: Chance) -> Company:
    return _at_branch(company, chance, state="08", reason=NEW_REASON[0])


def country_only_in_the_project(company: Company, chance: Chance) -> Company:
    one, other = chance.pick(MISSING_COUNTRIES), chance.pick(MISSING_COUNTRIES)
    company = _at_branch(company, chance, uf="EX", municipality="9707", country=one)
    return _at_partner(company, chance, kind="3", document="", country=other)


def odd_partners(company: Company, chance: Chance) -> Company:
    """Two with one masked document, one in two roles, one without a name, and whole CPFs, masked."""
    one, other, third = invent_partners(chance, 3)
    same = {"kind": "2", "document": chance.masked_cpf(), "country": ""}
    twins = (one._replace(**same), other._replace(**same, name=f"{other.name} IRMÃO"))
    both = (third._replace(role="49"), third._replace(role="10"))
    company = company._replace(partners=(*company.partners, *twins, *both))
    company = _at_partner(company, chance, name=chance.pick(("", " ", "***")))
    return _at_partner(company, chance, kind="2", document=chance.cpf(), agent_document=chance.cpf())


def stray_quotes(company: Company, chance: Chance) -> Company:
    """Quotes at any place of a text, not escaped, belong to it."""
    company = _at_partner(company, chance, name=_quoted(chance, person(chance)))
    name = _quoted(chance, "LOJA DE EXEMPLO")
    company = _at_branch(company, chance, trade_name=name, email='"@exemplo.com.br')
    return company._replace(name=_quoted(chance, company.name))


def quote_at_the_end_of_a_row(company: Company, chance: Chance) -> Company:
    company = _at_branch(company, chance, special_state='FALIDO"', special_date='20200101"')
    company = _at_partner(company, chance, age_band='"')
    return company._replace(jurisdiction='MUNICIPIO DE "EXEMPLO"')


def backslashes(company: Company, chance: Chance) -> Company:
    """Backslashes escape nothing, also before a quote and at the end of a field."""
    texts = {"complement": r"CASA\FUNDOS", "street": "DO FIM\\", "trade_name": 'LOJA \\"DOIS\\"'}
    company = _at_partner(_at_branch(company, chance, **texts), chance, name=person(chance) + "\\")
    return company._replace(name=f"{company.name}\\", jurisdiction="\\")


def nul_bytes(company: Company, chance: Chance) -> Company:
    """NUL bytes are blanks."""
    odd = {"street": "\0DO\0COMERCIO \0", "complement": "\0\0", "reason": "01\0", "area_1": "1\x001"}
    company = _at_branch(company, chance, **odd)
    company = _at_partner(company, chance, name=person(chance).replace(" ", "\0"))
    return company._replace(name=f"{company.name}\0", nature="2062\0")


def nul_bytes_in_a_cpf(company: Company, chance: Chance) -> Company:
    cpf = chance.cpf()
    return company._replace(name=f"{person(chance)} {cpf[:3]}\0{cpf[3:6]}\0{cpf[6:9]}\0{cpf[9:]}")


def control_characters(company: Company, chance: Chance) -> Company:
    """Control characters of both ranges are blanks."""
    street = "".join(f"A{one}B" for one in _CONTROLS)
    company = _at_branch(company, chance, street=street, district=f"\t{chance.pick(_CONTROLS)}")
    return company._replace(name=f"{chance.pick(_CONTROLS)}{company.name}{chance.pick(_CONTROLS)}")


def non_breaking_spaces(company: Company, chance: Chance) -> Company:
    company = _at_branch(company, chance, complement="\xa0", district="\xa0CENTRO\xa0\xa0VELHO")
    return company._replace(name=company.name.replace(" ", "\xa0"))


def line_ends_in_a_field(company: Company, chance: Chance) -> Company:
    """Line feeds and carriage returns within quotes are blanks, and end no row."""
    end = chance.pick(("\n", "\r\n", "\n\n"))
    company = _at_branch(company, chance, trade_name=f"DOCE LAR DOIS{end}INCORPORADORA")
    company = _at_branch(company, chance, complement="CASA\rFUNDOS", street="\rDO SOL\r")
    return company._replace(name=company.name.replace(" ", end, 1))


def semicolon_in_a_field(company: Company, chance: Chance) -> Company:
    complement = f"{chance.word('complements')}; FUNDOS;"
    company = _at_branch(company, chance, complement=complement, district=";CENTRO")
    company = _at_partner(company, chance, name=f"{person(chance)}; OUTRO")
    return company._replace(name=f"{company.name};")


def codes_without_zeros(company: Company, chance: Chance) -> Company:
    """Codes without their first zeros have their width again."""
    codes = {"state": "4", "reason": "1", "activity": "111301", "municipality": "3"}
    company = _at_branch(company, chance, **codes, other_activities="600001,6204000")
    company = _at_branch(company, chance, uf="EX", country="23") if chance.happens(0.5) else company
    return _at_partner(company, chance, role="8", country="23", agent_role="5")._replace(size="3", nature="0")


def unknown_codes(company: Company, chance: Chance) -> Company:
    """Codes that no table has are kept without a text; a country is only its text."""
    odd = {"state": "09", "reason": "98", "activity": "9999999", "municipality": "9998", "country": "996"}
    company = _at_branch(company, chance, **odd, head_office="3", other_activities="1234567,6204000")
    company = _at_partner(company, chance, kind="9", role="99", country="996", age_band="X")
    return company._replace(size="07", nature="9999")


def values_that_are_not_codes(company: Company, chance: Chance) -> Company:
    odd = {"state": "ATIVA", "reason": "123", "activity": "X", "municipality": "99999", "country": "1058"}
    activities = "6204-A,,0000000,6204000"
    company = _at_branch(company, chance, **odd, postcode="012345678", other_activities=activities)
    return company._replace(size="ME", nature="20622")


def empty_fields(company: Company, chance: Chance) -> Company:
    """Every field that may be empty is."""
    branch = company.branches[0]
    empty = branch._replace(**dict.fromkeys(set(Branch._fields) - {"order", "digits"}, ""))
    names = ("nature", "responsible", "capital", "size", "jurisdiction")
    company = company._replace(**dict.fromkeys(names, ""), mei=Option("", "", ""))
    return company._replace(simples=Option("", "", ""), branches=(empty, *company.branches[1:]))


def asterisks_and_blanks(company: Company, chance: Chance) -> Company:
    """Asterisks or blanks alone are an empty text."""
    empty = {"trade_name": "********", "complement": "   ", "email": "*", "street": "***", "uf": " "}
    return _at_branch(company, chance, **empty)._replace(jurisdiction="**")


def spaces_everywhere(company: Company, chance: Chance) -> Company:
    spaced = {"street": "  DO   COMERCIO  ", "street_number": " 0 7 ", "email": " A@EXEMPLO.COM.BR"}
    name = f"  {company.name.replace(' ', '   ')} "
    return _at_branch(company, chance, **spaced)._replace(name=name)


def cpf_in_every_text(company: Company, chance: Chance) -> Company:
    """CPFs, plain or with their marks, are masked in every text."""
    texts = ("trade_name", "street", "street_number", "complement", "district", "email", "special_state")
    texts = (*texts, "street_type", "city_abroad")
    company = _at_branch(company, chance, **{name: _with_cpf(chance) for name in texts})
    company = _at_partner(company, chance, name=_with_cpf(chance), agent_name=_with_cpf(chance))
    return company._replace(name=_with_cpf(chance), jurisdiction=_with_cpf(chance))


def long_texts(company: Company, chance: Chance) -> Company:
    """Texts of 2,000 characters, the most that a record may have."""
    return _at_branch(company, chance, complement="CASA " * 399 + "FUNDO")._replace(name="A" * 2_000)


def repeated_and_odd_phones(company: Company, chance: Chance) -> Company:
    """The same telephone twice is one, zeros are none, and marks are dropped."""
    odd = (("55550100", "55550100"), ("0", "00000000"), ("5555-0100", "(5555) 0100"), ("", "123456"))
    (one, other), area = chance.pick(odd), chance.pick(("11", "00", "", "0"))
    phones = {"area_1": area, "phone_1": one, "area_2": area, "phone_2": other}
    fax = {"fax_area": chance.pick(("11", "00", "", "0")), "fax": chance.pick(("0", "(5555) 0199", "123456"))}
    return _at_branch(company, chance, **phones, **fax)


def options_that_never_were(company: Company, chance: Chance) -> Company:
    """Left on the day of the option: without effect; neither S nor N: unknown."""
    day = chance.day()
    odd = (Option(" ", "0", "0"), Option("N", "0", ""), Option("S", "20230231", "0"), Option("X", day))
    return company._replace(simples=Option("N", day, day), mei=chance.pick(odd))


def letters_in_the_order(company: Company, chance: Chance) -> Company:
    """The head office's order has letters, and its company's root too."""
    head_office, *others = company.branches
    return with_letters(company._replace(branches=(head_office._replace(order="00ZX"), *others)))


def with_letters(company: Company) -> Company:
    """Return the company under a root with a letter that no other company has."""
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
    simples, mei = Option("S", day(), day()), Option("N", day(), day())
    return company._replace(branches=branches, partners=partners, simples=simples, mei=mei)


def _at_branch(company: Company, chance: Chance, **values: str) -> Company:
    """Return the company with other values in one establishment."""
    branches = list(company.branches)
    place = chance.between(0, len(branches) - 1)
    branches[place] = branches[place]._replace(**values)
    return company._replace(branches=tuple(branches))


def _at_partner(company: Company, chance: Chance, **values: str) -> Company:
    """Return the company with a further partner who has these values."""
    partner: Partner = invent_partners(chance, 1)[0]._replace(**values)
    return company._replace(partners=(*company.partners, partner))


CHANGES = tuple(
    change
    for name, change in globals().items()
    if callable(change)
    and not name.startswith("_")
    and change.__module__ == __name__
    and name != "with_letters"
)
