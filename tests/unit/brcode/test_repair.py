"""Codes that were damaged on their way, and what may not be repaired."""

import html
import textwrap
from collections.abc import Callable
from urllib.parse import quote, quote_plus

from hypothesis import given
from hypothesis import strategies as st

from brcode import decode
from brcode.repair import REASONS
from tests.for_each import for_each
from tests.unit.brcode.samples import CPF, PLACE, code, pix, signed

PHONE = code(o26=pix(o01="+5511987654321", o02="Conta de luz"))
CODES = [
    code(),
    PHONE,
    code(o26=pix(o01=None, o25=PLACE)),
    code(o26=pix(o01="a@b.com.br"), o54="10.00", o59="A B C D E F"),
]
ZERO_CRC = next(text for reais in range(1, 99) if (text := code(o54=f"{reais}.00"))[-4] == "0")
TWO_ZEROS = next(text for cents in range(9999) if (text := code(o54=f"1{cents}.00"))[-4:-2] == "00")


def lines(text: str, width: int) -> list[str]:
    """Return a text cut by force, as mail and terminals do."""
    return [text[at : at + width] for at in range(0, len(text), width)]


ENDS = ("\n", "\r\n", "\t", "=\r\n")
DAMAGES: dict[str, tuple[list[str], list[Callable[[str], str]]]] = {
    "cut into lines": (["espacos"], [lambda text, end=end: end.join(lines(text, 60)) for end in ENDS]),
    "wrapped at spaces": (
        ["espacos"],
        [lambda text: "\n".join(textwrap.wrap(text, 40, break_on_hyphens=False))],
    ),
    "cut into parts": (
        ["espacos"],
        [lambda text: " ".join(lines(text, 64)), lambda text: "\u200b".join(lines(text, 64))],
    ),
    "no-break spaces": (["espacos"], [lambda text: text.replace(" ", "\xa0")]),
    "around": (
        ["texto_em_volta"],
        [
            lambda text: f"Pague com este Pix: {text} Obrigado!",
            lambda text: f'"{text}"',
            lambda text: f"```{text}```",
            lambda text: f"\u200e{text}\u200b",
            lambda text: f"https://pix.example/copiaecola/?{text}",
            lambda text: f"Pix copia e cola\n{text}\nValor: R$ 10,00",
        ],
    ),
    "encoded": (
        ["codificacao"],
        [
            quote,
            quote_plus,
            lambda text: f"pix://psp.example?qr={quote(text)}&sig=abc",
            lambda text: f"https://loja.example/pagar?id=1&pix={quote_plus(text)}",
            lambda text: html.escape(text).replace("*", "&#42;"),
        ],
    ),
    "asterisks": (
        ["asteriscos"],
        [
            lambda text: text.replace("***", ""),
            lambda text: text.replace("***", "*"),
            lambda text: text.replace("***", r"\*\*\*"),
        ],
    ),
    "escaped": (
        ["codificacao"],
        [
            lambda text: text.replace(" ", "\\u0020").replace("/", "\\/").replace("@", "\\@"),
            lambda text: quote(quote(text)),
        ],
    ),
    "two kinds": (
        ["texto_em_volta", "espacos"],
        [
            lambda text: (
                "A loja escreveu:\n" + "\n".join(f"> {line}" for line in lines(text, 70)) + "\n> Abraço"
            ),
        ],
    ),
    "two other kinds": (["texto_em_volta", "asteriscos"], [lambda text: f"Pix: {text.replace('***', '')}"]),
}


@for_each("name", DAMAGES)
def test_a_damaged_code_is_found_again(name):
    reasons, damages = DAMAGES[name]
    for damage in damages:
        for right in CODES:
            text = damage(right)
            if text == right:
                continue
            found, sound = decode(text), decode(right)
            assert found.suggestion == (right, tuple(reasons)), text
            assert (found.kind, found.fields, found.warnings) == (sound.kind, sound.fields, sound.warnings), (
                text
            )
            assert not found.valid, text
            lost = "control_characters" if "\n" in text or "\t" in text else "white_space_inside"
            expected = [lost if reason == "espacos" else REASONS[reason] for reason in reasons]
            assert [issue.rule for issue in found.errors] == expected, text


SINGLE = [
    (PHONE.replace("+", " "), PHONE, ["mais"]),
    (f"pague {quote(PHONE.replace('+', ' '))}", PHONE, ["codificacao", "texto_em_volta", "mais"]),
    (ZERO_CRC[:-4] + ZERO_CRC[-3:], ZERO_CRC, ["crc"]),
    (f"pix:{ZERO_CRC[:-4]}{ZERO_CRC[-3:]}", ZERO_CRC, ["texto_em_volta", "crc"]),
    (TWO_ZEROS[:-4] + TWO_ZEROS[-2:], TWO_ZEROS, ["crc"]),
    (f"{code()}\n{code()}", code(), ["texto_em_volta"]),  # twice the same
    ("\n".join([*code()[:8], code()[8:]]), code(), ["espacos"]),
    (code()[:-4] + "1D\n3D", code(), ["espacos"]),
    (code()[:70] + "<br>" + code()[70:], code(), ["espacos"]),
    (code().replace("***", "•••"), code(), ["asteriscos"]),
    (f"veja https://loja.example/?c={code()}", code(), ["texto_em_volta"]),
    (f"<{code(o59='José')}>", code(o59="José"), ["texto_em_volta"]),
]


@for_each(("text", "right", "reasons"), SINGLE)
def test_damage_of_one_code(text, right, reasons):
    assert decode(text).suggestion == (right, tuple(reasons))


BY_CHANCE = (  # without its single blanks the checksum fits, but its template cannot be read
    "00020126880014br.gov.bcb.pix0136123e4567-e1ecad2b-12d1-a456-4266554400000226Preco a Bom Rita Padaria a"
    "5204000053039865406889.175802BR5920Loja 24 Jardim luz o6014S J DOS CAMPOS62140510P221640980630496AC"
)
PERCENT_ENCODED = "".join(f"%{byte:02X}" for byte in code().encode())
LEFT_ALONE = [
    code(), f" {code()}\n", code().replace("1D3D", "1d3d"), code()[:-1], code()[:60], code()[:-4] + "0000",
    code().replace("Fulano", "Fulana"), code().replace(" ", ""), "oi", "", "https://exemplo.com.br/000201",
    f"{code()} ou {code(o26=pix(o01=CPF))}",  # two codes
    f"{PHONE.replace('Fulano', 'FUL ANO')} {code()}",  # one of two is damaged
    f"Pague: {' '.join(lines(PHONE, 60))} https://loja.example/?r={PERCENT_ENCODED}",  # the other is hidden
    f"{PHONE[:70]} {code()}",
    f"{PHONE.replace('998', '99x8')} {code()}",
    code(o26=pix(o01=CPF), o27=code(o59="A"))[:-4] + "0000",  # one within another
    BY_CHANCE,
    f"Pague: {code()[:-4]}0000",
    signed(code(o59="Jo\nao")[:-8]),  # its own checksum fits, whatever it breaks
    signed(code(o54="10.0 ")[:-8]),
    "Pay: 00020101021129370016A0000006770101110113006691234567853037645802TH63042E5F",
]  # fmt: skip


@for_each("text", LEFT_ALONE)
def test_what_is_whole_or_not_certain_is_left_alone(text):
    assert decode(text).suggestion is None


@given(st.sampled_from(CODES), st.data())
def test_a_suggestion_never_differs_from_the_code_that_was_damaged(right, data):
    """Whatever else happens to a text, nothing but its own code is suggested."""
    text = data.draw(st.sampled_from(["{}", "a {} b", "\n{}\n"])).format(right)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        put = data.draw(st.sampled_from(["", " ", "\n", "\r\n> ", "*", "0", "%20", "\u200b", "+", "x"]))
        text = text[:at] + put + text[at + data.draw(st.integers(0, 2)) :]
    found = decode(text).suggestion
    assert found is None or found.payload == right


@given(st.text(st.sampled_from("000201630453986br.gov.bcb.pix \n*+%&;"), max_size=300))
def test_any_text_is_read(text):
    assert decode(f"00020126{text}").suggestion is None


def test_a_suggestion_is_a_code_that_needs_none():
    suggestion = decode(f"Pix: {code()}").suggestion
    assert decode(suggestion.payload) == decode(code())


LENGTHS = {
    "one_digit": (code(o59="ABC SOFT").replace("5908", "598"), ["59"], "08"),
    "too_long": (signed(code(o26=pix(o01=CPF, o02="x" * 80))[:-8]), ["26"], "99"),
    "spaces": (code().replace(" ", ""), ["59"], "espaço"),
    "spaces, twice": (code(o60="Sao Paulo").replace(" ", ""), ["59", "60"], "espaço"),
    "utf16": (signed(code(o59="Loja 😇")[:-8].replace("5906", "5907")), ["59"], "UTF-16"),
}


@for_each("name", LENGTHS)
def test_a_wrong_length_is_named_with_its_field(name):
    text, fields, words = LENGTHS[name]
    found = [issue for issue in decode(text).errors if issue.rule == "object_malformed"]
    assert [issue.field for issue in found] == fields
    assert all(words in issue.detail("pt") for issue in found)
