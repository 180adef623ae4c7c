"""The rules of a BR Code by their stable id: the source of each, and which only warn.

A broken rule is an error if a norm requires the rule, and a warning if the code is legal but banks have
refused or misread such codes, or a norm advises against them.
"""

SOURCES = {
    "EMVCo": "EMVCo QRCPS-MPM 1.1",
    "BR Code": "BCB Manual do BR Code 2.0.1",
    "Pix": "BCB Manual de Padrões para Iniciação do Pix 2.10.0",
    "API Pix": "BCB API Pix 2.10.0",
    "DICT": "BCB API DICT 2.12.1",
}
"""The sources of rules in their present editions, by short name. A test compares what other files cite."""

_EMV, _BRCODE, _PIX, _API, _DICT = SOURCES.values()
_SEEN = "visto em uso, sem norma"

_ERRORS = {
    "not_a_pix_code": f"{_PIX} §2.5, §3.1; {_EMV} §4.1",
    # what happened to a text on its way from the code, in the order of ``brcode.repair``
    "encoded_text": f"{_PIX} §3.1, §3.4",
    "text_around": f"{_PIX} §3.1",
    "white_space_inside": f"{_PIX} §3.1",
    "plus_lost": f"{_PIX} §3.1",
    "asterisks_lost": f"{_PIX} §3.1",
    "crc_zero_lost": f"{_EMV} §4.7.3",
    "several_codes": f"{_PIX} §3.1",
    "code_altered": f"{_PIX} §3.1; {_EMV} §4.7.3",
    "object_malformed": f"{_EMV} §3.2",
    "object_truncated": f"{_EMV} §3.2",
    "object_empty": f"{_EMV} §3.2",
    "object_repeated": f"{_EMV} §3.2",
    "lengths_in_bytes": f"{_EMV} §3.2",
    "control_characters": f"{_EMV} §3.2",
    "too_long": f"{_EMV} §3.2",
    "payload_format": f"{_EMV} §4.1",
    "initiation_method": f"{_EMV} §4.7.2",
    "pix_template_missing": f"{_PIX} §2.5",
    "pix_template_repeated": f"{_PIX} §2.5",
    "pix_template_empty": f"{_PIX} §2.6, §2.7",
    "gui_missing": f"{_PIX} §2.5; {_EMV} §4.6",
    "key_and_location": f"{_PIX} §2.6, §2.7",
    "key_form": f"{_PIX} §2.5.1; {_DICT} (chave)",
    "description_too_long": f"{_PIX} §2.6",
    "withdrawal_ispb": f"{_PIX} §2.6; {_API} (fss)",
    "composite_withdrawal": f"{_PIX} §2.4.3",
    "location_protocol": f"{_PIX} §2.5.2",
    "location_form": f"{_PIX} §2.5.2",
    "location_kind": f"{_PIX} §2.5.2",
    "hosts_differ": f"{_PIX} §2.8.3",
    "mcc": f"{_BRCODE} (52)",
    "currency": f"{_BRCODE} (53)",
    "amount_form": f"{_EMV} §4.7.4",
    "amount_zero": f"{_EMV} §4.7.4",
    "country": f"{_BRCODE} (58)",
    "name_missing": f"{_BRCODE} (59)",
    "name_too_long": f"{_BRCODE} (59)",
    "name_characters": f"{_BRCODE} (59)",
    "city_missing": f"{_BRCODE} (60)",
    "city_too_long": f"{_BRCODE} (60)",
    "city_characters": f"{_BRCODE} (60)",
    "postal_code": f"{_BRCODE} (61)",
    "additional_data_missing": f"{_PIX} §2.6; {_BRCODE} (62)",
    "txid_missing": f"{_PIX} §2.6",
    "txid_too_long": f"{_PIX} §2.6.2",
    "txid_characters": f"{_PIX} §2.6.2",
    "recurrence_empty": f"{_PIX} §2.8.1",
    "recurrence_repeated": f"{_PIX} §2.8.1",
    "crc_missing": f"{_EMV} §4.7.3",
    "crc_not_last": f"{_EMV} §3.2, §4.7.3",
    "crc_form": f"{_EMV} §4.7.3",
    "crc_mismatch": f"{_EMV} §4.7.3; {_PIX} §2.6.3",
    "crc_latin1": f"{_EMV} §4.7.3; {_PIX} §2.6.3",
}
_WARNINGS = {
    "surrounding_space": f"{_PIX} §3.1",
    "non_ascii": f"{_EMV} §4.7; {_SEEN}",
    "gui_case": f"{_PIX} §2.5; {_SEEN}",
    "gui_not_first": f"{_PIX} §2.5; {_SEEN}",
    "key_check_digits": f"{_PIX} §2.5.1; {_DICT} (chave)",
    "key_upper_case": f"{_PIX} §2.5.1; {_SEEN}",
    "key_phone_number": f"{_PIX} §2.5.1; Anatel, Plano de Numeração",
    "telefone_fixo": f"{_PIX} §2.5.1; Anatel, Plano de Numeração",
    "email_sem_ponto": f"{_DICT} (chave)",
    "uso_unico_estatico": f"{_PIX} §2.7.2; {_EMV} §4.7.2",
    "ignored_with_location": f"{_PIX} §2.7, §2.8.1",
    "location_unusual": f"{_PIX} §2.5.2",
    "recurrence_marker": f"{_PIX} §2.5.2; {_SEEN}",
    "amount_zero_dynamic": f"{_PIX} §2.7; {_SEEN}",
    "amount_not_canonical": f"{_PIX} §2.7.1.1; {_SEEN}",
    "padded": _SEEN,
    "txid_characters_dynamic": f"{_PIX} §2.7",
    "brcode_version_field": f"{_BRCODE} (62-50); {_SEEN}",
    "recurrence_legacy_field": f"{_PIX} §2.8.3; {_BRCODE} (80)",
    "crc_lower_case": f"{_EMV} §4.7.3; {_SEEN}",
}
REFERENCES = _ERRORS | _WARNINGS
"""The manual and section of each rule."""

WARNINGS = frozenset(_WARNINGS)
"""The rules that only warn."""
