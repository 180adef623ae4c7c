"""Keys: canonical forms, and the issues of invalid ones."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcode import InvalidCharge, KeyType, PixKey, parse_key
from brcode.key_forms import AREA_CODES, key_form
from taxid import cpf
from tests.for_each import for_each
from tests.unit.brcode.samples import CNPJ, CPF, EVP

NAMES = {"key": "chave", "key_type": "tipo_chave"}
MOBILE = "+5511987654321"
BOTH = "11987654102"  # a mobile number of São Paulo whose last digits check as those of a CPF


def issue_of(key, key_type=None):
    with pytest.raises(InvalidCharge) as caught:
        parse_key(key, key_type)
    (issue,) = caught.value.issues
    return issue


ACCEPTED = {
    (KeyType.CPF, CPF): [CPF, "529.982.247-25", " 529.982.247-25\n"],
    (KeyType.CNPJ, CNPJ): [
        CNPJ, "12abc34501de35", "12.abc.345/01DE-35", "12.abc.345.01de-35", "12.abc.345/01de\u201335",
    ],
    (KeyType.CNPJ, "00000000E08G12"): ["00.000.000/E08G-12"],
    (KeyType.CNPJ, "11222333000181"): ["11222333000181"],
    (KeyType.EMAIL, "fulano@exemplo.com.br"): ["Fulano@Exemplo.COM.br"],
    (KeyType.EMAIL, "o'neil+pix/x@sub.exemplo.com"): ["o'neil+pix/x@sub.exemplo.com"],
    (KeyType.EMAIL, "a" * 66 + "@exemplo.co"): ["a" * 66 + "@exemplo.co"],
    (KeyType.ALEATORIA, EVP): [
        EVP, EVP.upper(), EVP.replace("-", ""), f"{{{EVP.upper()}}}", f"urn:uuid:{EVP}",
        f"{EVP[:24]}\n{EVP[24:]}", f"{EVP[:20]}\r\n  {EVP[20:]}", f"{EVP[:9]}\u200b\xa0{EVP[9:]}",
    ],
    (KeyType.TELEFONE, MOBILE): [
        MOBILE, "11987654321", "5511987654321", "+55 11 98765-4321", "+55 (11) 9 8765-4321",
        "(11) 98765-4321", "11 98765 4321", "11.98765.4321",
        "\u202a+55 11 98765-4321\u202c", "\xa0+55 11 98765-4321",
        "119-87654321", "11987 654321", "1 1987654321",
    ],
    (KeyType.TELEFONE, "+551132654321"): ["(11) 3265-4321", "1132654321"],
    (KeyType.TELEFONE, "+5555991234567"): ["55 99123-4567"],  # 55 is an area code too
    (KeyType.TELEFONE, "+16505551234"): ["+1 (650) 555-1234"],
    (KeyType.TELEFONE, "+351912345678"): ["+351 912 345 678"],
}  # fmt: skip


@for_each(
    ("written", "key_type", "value"), [(text, *key) for key, texts in ACCEPTED.items() for text in texts]
)
def test_accepted(written, key_type, value):
    assert parse_key(written) == PixKey(key_type, value)
    assert parse_key(written, key_type) == (key_type, value)
    assert parse_key(value, key_type).value == value


REFUSED = {
    "required": ["", " \t"],
    "invalid_check_digits": ["529.982.247-24", "52998224724", "1" * 11, "12ABC34501DE36", "0" * 14],
    "invalid_key": [
        "5299822472", "052998224725", "1122233300018", "fulano",
        "(20) 98765-4321", "+5520987654321", "+551198765432", "+55 11 1234-5678", "(11 98765-4321",
        "+0123456789", "+12", "+12345678901234567", "+1650CALLNOW",
        "a%b@exemplo.com", "a&b@exemplo.com", '"a b"@exemplo.com', "a@-exemplo.com", "a@exemplo..com",
        "@exemplo.com", "a@b@c.com", "a b@exemplo.com", EVP[:-1], EVP.replace("-", "", 1),
        EVP.replace("1", "g", 1),
    ],
    "invalid_characters": [
        "joão@exemplo.com", "٥٢٩٩٨٢٢٤٧٢٥", "５２９９８２２４７２５", "529982247\x0025", "5299822\n4725",
        "12.abc.345/01de\u201336", "529.982.247\u201325", "pix\u2013a@exemplo.com",
    ],
    "too_long": ["a" * 67 + "@exemplo.co", "9" * 5000],
    "invalid_type": [52998224725, True, [CPF], b"52998224725", None],
}  # fmt: skip


@for_each(("key", "code"), [(key, code) for code, keys in REFUSED.items() for key in keys])
def test_rejected(key, code):
    issue = issue_of(key)
    assert (issue.field, issue.code) == ("key", code)
    assert "chave" in issue.detail("pt", NAMES)
    assert "chave" in issue.detail("en", NAMES)


def test_eleven_digits_with_two_readings_are_ambiguous():
    assert cpf.is_valid(BOTH)
    issue = issue_of(BOTH)
    assert issue.code == "ambiguous_key"
    assert issue.params == {"cpf": BOTH, "telefone": "+55" + BOTH}
    for language in ("pt", "en"):
        assert "CPF" in issue.detail(language)
        assert "telefone" in issue.detail(language)
        assert BOTH not in issue.detail(language)  # an error may end in anybody's log
        assert "tipo_chave" in issue.detail(language, NAMES)
        assert "key_type" in issue.detail(language)


@for_each("around", [*"\t\n\v\f\r \xa0\u200b\u200f\u202a\u202e\u202f\u2060\u2069\ufeff"])
def test_invisible_characters_around_a_key_are_cut_off(around):
    assert parse_key(f"{around}{CPF}{around}").value == CPF


@for_each("around", [*"\x08\x0e\u200a\u2010\u2029\u2030\u205f\u206a"])
def test_other_characters_around_a_key_are_an_issue(around):
    assert issue_of(around + CPF).code == "invalid_characters"


def test_a_phone_number_has_three_to_sixteen_digits():
    assert parse_key("+123").value == "+123"
    assert parse_key("+1234567890123456").value == "+1234567890123456"
    assert issue_of("+12").params == {"form": "telefone"}


LANDLINE = "2420856104"  # in Rio de Janeiro state, and a CPF without its zero
SHORTENED = {
    LANDLINE: ("CPF", "cpf", "0" + LANDLINE),
    "551132654306": ("CNPJ", "cnpj", "00551132654306"),
    "5511987654327": ("CNPJ", "cnpj", "05511987654327"),
}


@for_each("key", SHORTENED)
def test_a_phone_number_that_may_be_a_number_without_its_zeros_is_ambiguous(key):
    name, key_type, whole = SHORTENED[key]
    phone = f"+55{key.removeprefix('55')}"
    issue = issue_of(key)
    assert (issue.code, issue.params[key_type], issue.params["telefone"]) == ("ambiguous_key", whole, phone)
    assert name in issue.detail("pt")
    assert "tipo_chave" in issue.detail("en", NAMES)
    assert key not in issue.detail("pt") + issue.detail("en")
    assert parse_key(key, "telefone").value == parse_key(f"({phone[3:5]}) {phone[5:]}").value == phone
    short = issue_of(key, key_type)
    assert (short.field, short.code, short.params["looks"]) == ("key", "invalid_key", "lost_zeros")
    assert parse_key(whole).type == key_type


def test_a_type_settles_it():
    assert parse_key(BOTH, "cpf") == (KeyType.CPF, BOTH)
    assert parse_key(BOTH, "telefone") == (KeyType.TELEFONE, "+55" + BOTH)


CONTRADICTED = [
    (CPF, "telefone", "cpf"), ("529.982.247-25", "cnpj", "cpf"), ("(11) 98765-4321", "cpf", "telefone"),
    ("11987654321", "cpf", "telefone"), ("a@exemplo.com", "aleatoria", "email"), (CNPJ, "cpf", "cnpj"),
    (EVP, "email", "aleatoria"), (BOTH, "cnpj", "cpf/telefone"), (BOTH, "email", "cpf/telefone"),
]  # fmt: skip


@for_each(("key", "key_type", "found"), CONTRADICTED)
def test_a_contradicted_type_is_an_issue_that_names_the_form(key, key_type, found):
    issue = issue_of(key, key_type)
    assert (issue.field, issue.code, issue.params["found"]) == ("key_type", "key_type_mismatch", found)
    assert found in issue.detail("pt")
    assert key_type in issue.detail("en")


def test_a_type_that_nothing_fits():
    assert issue_of("fulano", "telefone").params == {"form": "telefone"}
    assert issue_of("52998224724", "cpf").code == "invalid_check_digits"
    assert issue_of("11987654324", "email").code in {"invalid_key", "key_type_mismatch"}


@for_each(
    ("key_type", "code"), [*((name, "invalid_key_type") for name in ("CPF", "evp", "")), (1, "invalid_type")]
)
def test_an_unknown_type(key_type, code):
    issue = issue_of(CPF, key_type)
    assert (issue.field, issue.code) == ("key_type", code)
    assert ("aleatoria" in issue.detail("pt")) is (code == "invalid_key_type")


def test_area_codes():
    unused = set(map(str, (20, 23, 25, 26, 29, 30, 36, 39, 50, 52, 70, 72, 76, 78, 80)))
    assert (len(AREA_CODES), unused & AREA_CODES) == (67, set())


DICT = {
    KeyType.CPF: r"[0-9]{11}",
    KeyType.CNPJ: r"[0-9A-Z]{12}[0-9]{2}",
    KeyType.TELEFONE: r"\+[1-9][0-9]\d{1,14}",
    KeyType.EMAIL: r"[a-z0-9.!#$'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
    r"(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*",
    KeyType.ALEATORIA: r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
}


@given(st.one_of(st.text(max_size=90), *(st.from_regex(form, fullmatch=True) for form in DICT.values())))
def test_forms_are_those_of_dict(key):
    matching = [kind for kind, form in DICT.items() if re.fullmatch(form, key, re.ASCII) and len(key) <= 77]
    assert ([key_form(key)] if key_form(key) else []) == matching


@given(st.text(max_size=40) | st.from_regex(r"[0-9 ().+/@a-fA-F-]{5,40}", fullmatch=True))
def test_what_is_accepted_is_canonical(key):
    try:
        kind, value = parse_key(key)
    except InvalidCharge:
        return
    assert key_form(value) is kind
    assert parse_key(value, kind) == (kind, value)


AMBIGUOUS = [
    "119 87654102", "119 8765 4102", "119.8765.4102", "1198765 4102", "119.87654102", "119-87654102",
    "119-8765 4102", "11987 654102", "1 1987654102", "1 1 9 8 7 6 5 4 1 0 2", "119 876 541 02",
]  # fmt: skip
AS_PHONE = ["(11)987654102", "11 987654102", "11-987654102", "1198765-4102", "11.98765-4102"]
AS_CPF = ["119.876.541-02", "119876541-02", "119.876541-02"]


@for_each("text", AMBIGUOUS)
def test_spaces_and_dots_without_a_mask_are_ambiguous(text):
    assert issue_of(text).code == "ambiguous_key"
    assert parse_key(text, "cpf").value == BOTH
    assert parse_key(text, "telefone").value == "+55" + BOTH


@for_each(
    ("text", "value"), [*((text, "+55" + BOTH) for text in AS_PHONE), *((text, BOTH) for text in AS_CPF)]
)
def test_a_mask_decides_by_its_area_code_or_hyphen(text, value):
    assert parse_key(text).value == value


LIKENESSES = {
    ("telefone", "sem DDD"): ["91234-5678", "987654321", "3265-4321"],
    ("telefone", "DDD não existe"): ["(20) 98765-4321", "+55 20 98765-4321"],
    ("telefone", "começando por 9"): ["(11) 8765-4321", "1187654321", "+551187654321", "(11) 88765-4321"],
    ("telefone", "zero antes do DDD"): ["011987654321", "+55 011 98765-4321"],
    ("cpf", "enviados 10"): ["529.982.247-2"],
    ("cnpj", "enviados 13"): ["12.345.678/0001-9"],
    ("cnpj", "enviados 15"): ["12.ABC.345/01DE-355"],
    ("aleatoria", "enviados 31"): [EVP[:-1]],
    ("aleatoria", "enviados 33"): [EVP.replace("-", "") + "0"],
    ("aleatoria", "de 0 a 9 e de a a f"): [EVP.replace("1", "g", 1)],
    ("", "enviados: 10."): ["5299822472", "11_3265_4321"],
    ("", "enviados: 13."): ["1122233300018"],
    ("cpf", "sem os zeros da frente"): ["2020956144"],
    ("cnpj", "sem os zeros da frente"): ["360305000104", "1360305000177"],
    ("", "conta bancária"): [
        "0001 / 12345-6",
        "Ag 0001 CC 12345-6",
        "341 0001 12345-6",
        "ag. 0001-9 c/c 12.345-X",
        "0001/123456",
        "Banco 341, conta 12345-6",
    ],
    ("", "location"): ["https://pix.exemplo.com/qr/v2/1", "pix.exemplo.com/qr/v2/1"],
    ("", "código Pix completo"): ["00020126360014br.gov.bcb.pix"],
}


@for_each(("key", "form", "looks"), [(key, *found) for found, keys in LIKENESSES.items() for key in keys])
def test_hints_of_invalid_keys(key, form, looks):
    issue = issue_of(key)
    assert (issue.code, issue.params["form"]) == ("invalid_key", form)
    assert looks in issue.detail("pt")
    assert issue.detail("en") != issue.detail("pt")
    assert key not in issue.detail("pt") + issue.detail("en")
    assert issue.params.get("count", 1) > 0


@for_each("key", ["+55@", "+5511987654321@", "+55 11 98765-4321@exemplo.com", "+5511@exemplo..com"])
@for_each("key_type", [None, "email", "telefone"])
def test_a_key_with_an_at_sign_is_an_email(key, key_type):
    issue = issue_of(key, key_type)
    assert issue.code == "invalid_key"
    for language in ("pt", "en"):
        assert "mail" in issue.detail(language)
        assert ("+ e o código" in issue.detail(language)) <= (key_type == "telefone")


def test_hints_of_other_issues():
    assert "conta bancária" in issue_of("Agência 0001 conta 12345-6").detail("pt")
    assert "e-mail" in issue_of("joão@exemplo.com").detail("pt")
    assert "código Pix completo" in issue_of("000201" + "0" * 90).detail("pt")
    assert "DDD não existe" in issue_of("20987654321").detail("pt")
    assert "DDD" not in issue_of("11144477730").detail("pt")


@given(st.text(min_size=1, max_size=40) | st.from_regex(r"[+(]?[0-9 .()/-]{1,20}", fullmatch=True))
def test_every_wrong_key_has_a_text(key):
    try:
        parse_key(key)
    except InvalidCharge as refused:
        (issue,) = refused.issues
        for language in ("pt", "en"):
            assert issue.detail(language).endswith(".")
