"""Texts that are not a Pix code."""

from hypothesis import given
from hypothesis import strategies as st

from brcode import decode
from brcode.model import Fields
from tests.for_each import for_each
from tests.unit.brcode.samples import CPF, EVP, code

BARCODE = "00193373700000001000500940144816060680935031"
LINE = "00190500954014481606906809350314337370000000100"


def natures(text):
    return [issue.params["nature"] for issue in decode(text).errors if issue.rule == "not_a_pix_code"]


NATURES = {
    "empty": ["", " \r\n\t"],
    "address": [
        "https://exemplo.com.br/pagar?x=1", "HTTP://EXEMPLO.COM", "www.exemplo.com.br",
        "pix.exemplo.com.br/qr/v2/9d36b84f",
    ],
    "boleto": [
        BARCODE, LINE, "00190.50095 40144.816069 06809.350314 3 37370000000100",
        "84670000001-7 43590024020-9 02405000243-5 84221010811-9", f"{LINE[:20]}\n{LINE[20:]}",
    ],
    "other_payment": ["upi://pay?pa=loja@banco", "bitcoin:endereco?amount=1", "BCD\n002\n1\nSCT"],
    "key": ["fulano@exemplo.com", CPF, "529.982.247-24", "12.345.678/0001-90", "(11) 98765-4321", EVP.upper()],
    "text": ["oi, tudo bem?", "10 reais", "2026-11-22", "{}"],
}  # fmt: skip


@for_each(("text", "nature"), [(text, nature) for nature, texts in NATURES.items() for text in texts])
def test_another_text_has_one_issue_that_names_it(text, nature):
    found = decode(text)
    assert [issue.rule for issue in (*found.errors, *found.warnings)] == ["not_a_pix_code"]
    assert found.errors[0].params == {"nature": nature}
    assert (found.kind, found.fields, found.valid) == (None, Fields(), False)
    for language in ("pt", "en"):
        assert "000201" in found.errors[0].detail(language)  # what to send instead
        assert "{" not in found.errors[0].detail(language)


FOREIGN = [
    code(o26=None, o04="4111111111111111"),
    code(o26={"00": "com.outro", "01": "1"}),
    code(o26=None, o25="x")[:-4] + "0000",
    "00020101021129370016A0000006770101110113006691234567853037645802TH63042E5F",  # PromptPay
]


@for_each("text", FOREIGN)
def test_the_code_of_another_payment_is_nothing_else(text):
    found = decode(text)
    assert [issue.rule for issue in (*found.errors, *found.warnings)] == ["not_a_pix_code"]
    assert natures(text) == ["other_payment"]


DAMAGED = [
    code(o04="4111111111111111"), code()[:-1], code()[2:], code()[30:], code()[:10], "Pague aqui: " + code(),
    "0002", code(o26=None), code(o26={"01": EVP}), code().upper(),
]  # fmt: skip


@for_each("text", DAMAGED)
def test_a_damaged_code_is_read_as_a_code(text):
    assert natures(text) == []


@given(
    st.sampled_from([44, 47, 48]).flatmap(lambda n: st.text("0123456789", min_size=n, max_size=n)), st.data()
)
def test_digits_of_a_boleto_with_any_separators(digits, data):
    cuts = data.draw(st.lists(st.integers(1, len(digits) - 1), max_size=5))
    for cut in sorted(cuts, reverse=True):
        digits = digits[:cut] + data.draw(st.sampled_from([" ", ".", "-", "\n", "\t", "\xa0"])) + digits[cut:]
    assert natures(digits) == ["boleto"]


@given(st.text(max_size=40))
def test_not_a_pix_code_is_the_first_issue(text):
    found = [issue.rule for issue in decode(text).errors]
    assert "not_a_pix_code" not in found[1:]


@given(st.integers(1, 600))
def test_a_part_of_a_code_with_the_pix_identifier_is_a_code(at):
    for part in (code()[:at], code()[at:]):
        assert "br.gov.bcb.pix" not in part or natures(part) == []
