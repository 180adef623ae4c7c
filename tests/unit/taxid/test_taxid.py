"""CPF and CNPJ: published numbers, and the same results as python-stdnum."""

import doctest
import json
from pathlib import Path

import stdnum.br.cnpj
import stdnum.br.cpf
from hypothesis import given
from hypothesis import strategies as st

import taxid
from taxid import cnpj, cpf
from tests.for_each import for_each

MODULES = {"cpf": cpf, "cnpj": cnpj}
VECTORS = json.loads((Path(__file__).parents[2] / "data" / "taxid_vectors.json").read_text())
UPPER = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@for_each("vector", VECTORS)
def test_vector(vector):
    module = MODULES[vector["type"]]
    compact = module.compact(vector["value"])
    assert (compact is not None and module.is_valid(compact)) is vector["valid"]
    if vector["normalized"]:
        assert compact == vector["normalized"]
    if vector["valid"]:
        assert module.compact(module.format(compact)) == compact


def test_all_vectors_are_there():
    assert len(VECTORS) == 44


@for_each("module", [taxid, cpf, cnpj])
def test_examples(module):
    assert doctest.testmod(module).failed == 0
    assert all(hasattr(module, name) for name in module.__all__)


@given(st.text("0123456789", min_size=9, max_size=9), st.integers(0, 99))
def test_cpf_agrees_with_stdnum(body, pair):
    for number in (*(f"{body}{(pair + step) % 100:02d}" for step in range(12)), body[0] * 11):
        assert cpf.is_valid(number) is (stdnum.br.cpf.is_valid(number) and len(set(number)) > 1)


@given(st.text("0123456789", min_size=9, max_size=9).filter(lambda body: len(set(body)) > 1))
def test_every_nine_digits_have_one_cpf(body):
    (number,) = [f"{body}{pair:02d}" for pair in range(100) if cpf.is_valid(f"{body}{pair:02d}")]
    assert stdnum.br.cpf.is_valid(number)


@given(st.text(UPPER, min_size=12, max_size=12), st.integers(0, 99))
def test_cnpj_agrees_with_stdnum(body, pair):
    digits = stdnum.br.cnpj.calc_check_digits(body)
    for number in (body + digits, f"{body}{pair:02d}"):
        assert cnpj.is_valid(number) is (stdnum.br.cnpj.is_valid(number) and len(set(number)) > 1)
    assert cnpj.is_valid(body + digits) is (len(set(body + digits)) > 1)


@given(
    st.text(max_size=20)
    | st.text("0123456789", min_size=11, max_size=14)
    | st.text(UPPER + "٣３", min_size=14, max_size=14)
)
def test_no_other_text_is_valid(text):
    assert cpf.is_valid(text) <= (len(text) == 11 and set(text) <= set("0123456789"))
    assert cnpj.is_valid(text) <= (len(text) == 14 and set(text) <= set(UPPER) and text[12:].isdigit())


@given(st.text("0123456789", min_size=11, max_size=11))
def test_cpf_masks(number):
    masked = cpf.format(number)
    assert masked == stdnum.br.cpf.format(number)
    assert cpf.compact(masked) == cpf.compact(f" {number}\n") == number


@given(st.text(UPPER, min_size=12, max_size=12), st.text("0123456789", min_size=2, max_size=2))
def test_cnpj_masks(body, pair):
    masked = cnpj.format(body + pair)
    assert masked == stdnum.br.cnpj.format(body + pair)
    assert (
        cnpj.compact(masked)
        == cnpj.compact(masked.lower())
        == cnpj.compact((body + pair).lower())
        == body + pair
    )


OTHER_FORMS = {
    cpf: ["529.982.247/25", "529 982 247 25", "529-982-247-25", "529.982.247-2５", "", "a" * 11, "9" * 10],
    cnpj: [
        "12.ABC.345-01DE/35", "12.ABC.345/01DE-3A", "12.ABC.345/01D.-35", "12ABC34501DE3", "",
        "1\u0131ABC34501DE35", "\u212a2ABC34501DE35",  # their upper case is an ASCII letter
    ],
}  # fmt: skip
HALF_MASKED = {
    "52998224725": (cpf, ["529982247-25", "529.982.24725", "529.982247-25", " 529.982.247-25 "]),
    "12ABC34501DE35": (
        cnpj, ["12ABC345/01DE-35", "12.ABC.345/01DE35", "12.abc.34501de35", "12abc34501de-35"],
    ),
}  # fmt: skip


@for_each(("module", "text"), [(module, text) for module, texts in OTHER_FORMS.items() for text in texts])
def test_other_forms(module, text):
    assert module.compact(text) is None


@for_each(
    ("module", "text", "number"),
    [(module, text, number) for number, (module, texts) in HALF_MASKED.items() for text in texts],
)
def test_a_half_masked_number_is_read(module, text, number):
    assert module.compact(text) == number
