"""Codes that break one rule of the decoder."""

from binascii import crc_hqx
from urllib.parse import quote

from brcode import Kind, decode
from brcode.rules import REFERENCES, WARNINGS
from tests.for_each import for_each
from tests.unit.brcode.samples import CPF, EVP, PLACE, code, pix, signed

PIX_80 = {"00": "br.gov.bcb.pix", "25": "pix.example.com/rec/2353c790eefb11eaadc10242ac120002"}
ACCENTED = code(o26=pix(o01=CPF, o02="pão"))[:-4]
LATIN1 = f"{ACCENTED}{crc_hqx(ACCENTED.encode('latin-1'), 0xFFFF):04X}"
BYTES = code(o26=pix(o01=CPF), o60="São Paulo")[:-8].replace("6009", "6010")

ALTERED = code(o54="37.50").replace("37.50", "97.50")
ZERO_CRC = next(text for reais in range(1, 99) if (text := code(o54=f"{reais}.00"))[-4] == "0")
DYNAMIC = pix(o01=None, o25=PLACE)
BAD_KEYS = [
    "529.982.247-25", "5299822472", "A@exemplo.com", "a%b@exemplo.com", "12abc34501de35", "5511987654321",
    "+05511987654321", "123e4567e12b12d1a456426655440000", EVP[:-1], "fulano", "٥٢٩٩٨٢٢٤٧٢٥", CPF + " ",
]  # fmt: skip
BAD_PLACES = [
    "www.example.com",
    "/abc",
    "a b.com/c",
    "exemplo.com/",
    "exemplo.com/é",
    "a.co/?x",
    "a.co/cob?x=1",
    "a.co/x/..",
    "u@exemplo.com/x",
    "192.168.0.1/x",
    "127.1/x",
    "1.2.3.0x4/x",
    "3232235521/x",
    "[::1]/x",
    "a.co:8443/b",
    "a.co:443/b",
    "a.co/cobv/",
    "a.co/cobv",
    "a..co/b",
    *(f"a.co/b{char}c" for char in '"<>\\^`{|}'),
]
OTHER_HOSTS = ["pix.outro.example", "pix.example.com.br", "https://pix.outro.example"]
OTHER_AMOUNTS = ["198", "10.", "0.9", "01.00", "1.5", "9999999999999"]

# fmt: off
BAD_AMOUNTS = [
    "1,50", "99999999999.99", "-1.00", "1.234", "1e2", ".50", "1.2.3", "R$ 1.00", " 1.00", "１.00", ".",
]
BROKEN = {
    "not_a_pix_code": [
        "", " \n", "oi", "https://exemplo.com.br/pagar", "fulano@exemplo.com",
        "00190.50095 40144.816069 06809.350314 3 37370000000100",
    ],
    "encoded_text": [quote(code())],
    "text_around": [f"Pague: {code()}"],
    "white_space_inside": [code().replace("a1d", "a1 d").replace("5204", "520 4")],
    "plus_lost": [code(o26=pix(o01="+5511987654321")).replace("+", " ")],
    "asterisks_lost": [code().replace("*", "")],
    "crc_zero_lost": [ZERO_CRC[:-4] + ZERO_CRC[-3:]],
    "code_altered": [
        f"Segue:\n{ALTERED}\nObrigada", f"{ALTERED[:70]}\n{ALTERED[70:]}", f"Pague {code()[:120]}",
    ],
    "several_codes": [code(o26=pix(o01=CPF)) + code(), f"{code()}\n{code(o26=pix(o01=CPF))}"],
    "object_malformed": [code()[:-8] + "6x04ABCD", code().replace("5802BR", "58٠٢BR"), code(o27="0a")],
    "object_truncated": [code()[:-1], code()[:40], "0002", code(o27="0010abc")],
    "object_empty": [code(o54=""), code(o26=pix(o02=""))],
    "object_repeated": [code(o60b="BRASILIA"), code(o26=pix(o01b=EVP))],
    "lengths_in_bytes": [signed(BYTES)],
    "control_characters": [code(o26=pix(o01=CPF, o02="a\x00b")), code(o26=pix(o01=CPF, o02="a\tb"))],
    "too_long": [code(o65="x" * 99, o66="x" * 99, o67="x" * 99, o68="x" * 99)],
    "payload_format": [code(o00="02"), signed(code()[6:-8] + "000201"), "5303986"],
    "initiation_method": [code(o01="10"), code(o01="1"), code(o01="١١")],
    "pix_template_missing": [code(o26=None), code(o26={"01": EVP})],
    "pix_template_repeated": [code(o27=pix()), code(o51=DYNAMIC)],
    "pix_template_empty": [
        code(o26=pix(o01=None)), code(o26=pix(o01=None), o80={"00": "br.com.outro", "25": PLACE}),
    ],
    "gui_missing": [code(o27={"01": "x"}), code(o26={"01": EVP}), code(o85={"01": "x"})],
    "key_and_location": [code(o26=pix(o01=CPF, o25=PLACE))],
    "key_form": [code(o26=pix(o01=key)) for key in BAD_KEYS],
    "description_too_long": [code(o26={"00": "br.gov.bcb.pix", "02": "x" * 73})],
    "composite_withdrawal": [code(o26=pix(o03="30680829"), o80=PIX_80)],
    "withdrawal_ispb": [code(o26=pix(o03=ispb)) for ispb in ("1234567", "1234567a", "١٢٣٤٥٦٧٨")],
    "location_protocol": [
        code(o26=pix(o01=None, o25="https://" + PLACE)), code(o80={**PIX_80, "25": "HTTP://a.b/c"}),
    ],
    "location_form": [code(o26=pix(o01=None, o25=place)) for place in BAD_PLACES],
    "location_kind": [
        code(o26=pix(o01=None, o25=PIX_80["25"])),
        *(code(o80={**PIX_80, "25": f"pix.example.com/qr/{kind}/1"}) for kind in ("cob", "cobv", "COBV")),
    ],
    "hosts_differ": [
        *(code(o26=DYNAMIC, o80={**PIX_80, "25": f"{host}/rec/1"}) for host in OTHER_HOSTS),
        code(o26=DYNAMIC, o80=PIX_80, o81={**PIX_80, "25": "pix.outro.example/rec/1"}),
    ],
    "mcc": [code(o52="000"), code(o52=None), code(o52="000a"), code(o52="٠٠٠٠")],
    "currency": [code(o53="840"), code(o53=None)],
    "amount_form": [code(o54=amount) for amount in BAD_AMOUNTS],
    "amount_zero": [code(o54="0"), code(o54="0.00"), code(o54="0.")],
    "country": [code(o58="US"), code(o58="br"), code(o58=None)],
    "name_missing": [code(o59=None)],
    "name_too_long": [code(o59="x" * 26)],
    "name_characters": [code(o59="José"), code(o59="a\nb"), code(o59="a\x7fb")],
    "city_missing": [code(o60=None)],
    "city_too_long": [code(o60="x" * 16)],
    "city_characters": [code(o60="São Paulo")],
    "postal_code": [code(o61="1" * 11), code(o61="7007490é")],
    "additional_data_missing": [code(o62=None)],
    "txid_missing": [code(o62={"01": "x"})],
    "txid_too_long": [code(o62={"05": "x" * 26})],
    "txid_characters": [code(o62={"05": txid}) for txid in ("PEDIDO_1", "a b", "**", "é", "RP12345678-2019")],
    "recurrence_empty": [code(o80={"00": "br.gov.bcb.pix", "02": "x"})],
    "recurrence_repeated": [code(o80=PIX_80, o81=PIX_80)],
    "crc_missing": [code()[:-8]],
    "crc_not_last": [code()[:-8] + "6304ABCD" + "6503abc"],
    "crc_form": [code()[:-4] + "12G4", code()[:-4] + "+1F2", code()[:-6] + "031D3"],
    "crc_mismatch": [code()[:-4] + "0000"],
    "crc_latin1": [LATIN1],
    # warnings
    "surrounding_space": [" " + code(), code() + "\n", "\ufeff" + code(), f"\xa0{code()}\r\n\t"],
    "uso_unico_estatico": [code(o01="12"), code(o01="12", o80=PIX_80)],
    "location_unusual": [code(o26=pix(o01=None, o25=place)) for place in ("localhost/x", "a.co/b#c")],
    "recurrence_marker": [
        code(o80={**PIX_80, "25": "pix.example.com/subs/1"}), code(o80={**PIX_80, "25": "pix.example.com/1"}),
    ],
    "non_ascii": [code(o26=pix(o01=CPF, o02="pão"))],
    "gui_case": [code(o26=pix(o00="BR.GOV.BCB.PIX")), code(o80={**PIX_80, "00": "Br.gov.bcb.pix"})],
    "gui_not_first": [code(o26={"01": EVP, "00": "br.gov.bcb.pix"})],
    "key_check_digits": [code(o26=pix(o01="52998224724")), code(o26=pix(o01="12ABC34501DE36"))],
    "key_upper_case": [code(o26=pix(o01=EVP.upper()))],
    "telefone_fixo": [code(o26=pix(o01="+551132654321")), code(o26=pix(o01="+559955554444"))],
    "email_sem_ponto": [code(o26=pix(o01="pix@exemplo")), code(o26=pix(o01="+5511@exemplo"))],
    "key_phone_number": [code(o26=pix(o01="+5520987654321")), code(o26=pix(o01="+551187654321"))],
    "ignored_with_location": [
        *(code(o26=DYNAMIC | more) for more in ({"02": "x"}, {"03": "30680829"})),
        code(o26=DYNAMIC, o62={"05": "x" * 35}),
        code(o26=DYNAMIC, o54="10.00"), code(o26=DYNAMIC, o62={"05": "ABC123"}),
        code(o26=pix(o01=None), o54="10.00", o80=PIX_80), code(o26=pix(o01=None, o02="x"), o80=PIX_80),
    ],
    "amount_zero_dynamic": [code(o26=DYNAMIC, o54="0.00")],
    "amount_not_canonical": [code(o54=amount) for amount in OTHER_AMOUNTS],
    "padded": [code(o59=" Fulano"), code(o60="BRASILIA ")],
    "txid_characters_dynamic": [code(o26=DYNAMIC, o62={"05": "RP12345678-2019"})],
    "brcode_version_field": [code(o62={"05": "***", "50": {"00": "BR.GOV.BCB.BRCODE", "01": "1.0.0"}})],
    "recurrence_legacy_field": [code(o80={"00": "br.gov.bcb.pix", "01": "padrao.url.pix/0123abcd"})],
    "crc_lower_case": [code()[:-4] + "1d3d"],
}
# the rules that break with another
COMPANIONS = {
    "hosts_differ": {"location_protocol", "recurrence_repeated"},
    "object_malformed": {"payload_format", "non_ascii"},
    "object_truncated": {"payload_format"},
    "object_empty": {"amount_form"},
    "payload_format": {
        "pix_template_missing", "mcc", "currency", "country", "name_missing", "city_missing",
        "additional_data_missing", "crc_missing",
    },
    "initiation_method": {"non_ascii"},
    "pix_template_missing": {"gui_missing"},
    "gui_missing": {"pix_template_missing"},
    "key_form": {"non_ascii"},
    "description_too_long": {"pix_template_empty"},
    "lengths_in_bytes": {"city_characters"},
    "name_characters": {"control_characters"},
}
# fmt: on


def test_no_rule_is_left_out():
    assert set(BROKEN) == set(REFERENCES)
    assert set(REFERENCES) >= WARNINGS


@for_each(
    ("rule", "text"),
    [(rule, text) for rule, texts in BROKEN.items() for text in texts],
)
def test_broken(rule, text):
    decoded = decode(text)
    found = decoded.warnings if rule in WARNINGS else decoded.errors
    rules = {issue.rule for issue in found}
    assert rule in rules
    assert rules <= {rule} | COMPANIONS.get(rule, set())
    assert decoded.valid is not (rule not in WARNINGS)
    for issue in (*decoded.errors, *decoded.warnings):
        assert issue.reference
        for language in ("pt", "en"):
            assert "{" not in issue.detail(language)
            assert issue.detail(language).endswith(".")


LEGAL = {
    Kind.ESTATICO: [
        code(), code(o01="11"), code(o01="11", o54="10.00"),
        code(o26=None, o51=pix()),  # any account template may be Pix's
        code(o27={"00": "br.com.outro", "01": "0123456789"}),
        code(o04="1234567890123456"), code(o26=pix(o04="novo")), code(o62={"01": "abc", "05": "***"}),
        code(o61="70074900"), code(o59="Loja 24h (Centro) & Cia"), code(o26=pix(o01="+16505551234")),
        code(o26=pix(o01="+5520@exemplo.com")),  # an e-mail may begin with a plus sign
        code(o26=pix(o01=CPF, o02="x" * 62)),
        # between the first and the last object any order will do
        signed("0002016008BRASILIA5913Fulano de Tal62070503***5802BR520400005303986" + code()[6:68]),
    ],
    Kind.SAQUE: [code(o26=pix(o03="3068082A"))],
    Kind.DINAMICO: [
        *(code(o01="12", o26=pix(o01=None, o25=f"a.co/{path}")) for path in ("b", "v2/cob/b", "cobv/b")),
    ],
    Kind.RECORRENCIA: [
        code(o26=pix(o01=None), o80=PIX_80), code(o26=pix(o01=None), o97=PIX_80),
        code(o26=pix(o01=None), o62={"05": "ABC123"}, o80=PIX_80),  # its own txid (§2.8.1)
    ],
    Kind.COMPOSTO: [
        code(o26=DYNAMIC, o80=PIX_80), code(o54="10.00", o80=PIX_80),
        code(o26=pix(o01=None, o25="PIX.Example.com/cobv/1"), o80=PIX_80),
    ],
}  # fmt: skip


@for_each(
    ("text", "kind"),
    [(text, kind) for kind, texts in LEGAL.items() for text in texts],
)
def test_legal(text, kind):
    decoded = decode(text)
    assert (decoded.errors, decoded.warnings, decoded.kind) == ((), (), kind)


def test_several_broken_rules_are_reported_at_once():
    found = decode(code(o52=None, o54="1,50", o59="José", o62=None)[:-4] + "0000").errors
    rules = {issue.rule for issue in found}
    assert rules == {"mcc", "amount_form", "name_characters", "additional_data_missing", "crc_mismatch"}


def test_missing_objects_of_a_truncated_code_are_no_issues():
    decoded = decode(code()[:80])
    assert [issue.rule for issue in decoded.errors] == ["object_truncated"]
    assert decoded.fields.key == EVP
    assert decoded.kind is None


def test_the_right_value_is_given():
    (issue,) = decode(code()[:-4] + "0000").errors
    assert issue.params["right"] == "1D3D"
    assert "1D3D" in issue.detail("pt")
    (issue,) = decode(code(o54="198")).warnings
    assert "198.00" in issue.detail("en")


def test_objects_that_pix_does_not_use_are_kept():
    text = code(
        o04="4111",
        o26=pix(o99="x"),
        o27={"00": "br.com.outro", "01": "y"},
        o62={"05": "***", "07": "z"},
        o64={"00": "en"},
    )
    assert decode(text).fields.unknown == (
        ("04", "4111"),
        ("26-99", "x"),
        ("27-00", "br.com.outro"),
        ("27-01", "y"),
        ("62-07", "z"),
        ("64-00", "en"),
    )


def test_a_repeated_issue_is_reported_once():
    assert len(decode("00" * 2048).errors) < 20
