"""The rules of a BR Code by their stable id: the source of each, and which only warn.

A broken rule is an error if a norm requires the rule, and a warning if the code is legal but banks have
refused or misread such codes, or a norm advises against them.
"""

_EMV = "EMVCo QRCPS-MPM 1.1"
_BRCODE = "BCB Manual do BR Code v1.0.0"
_PIX = "BCB Manual de Padrões para Iniciação do Pix v2.2"
_API = "BCB API Pix 2.9.0"
_DICT = "BCB API DICT 1.8"
_SEEN = "visto em uso, sem norma"

_ERRORS = {
    "not_a_pix_code": f"{_EMV} §4.1; {_PIX} §1.3",
    "surrounding_space": f"{_EMV} §3.2",
    "object_malformed": f"{_EMV} §3.2",
    "object_truncated": f"{_EMV} §3.2",
    "object_empty": f"{_EMV} §3.2",
    "object_repeated": f"{_EMV} §3.2",
    "lengths_in_bytes": f"{_EMV} §3.2",
    "control_characters": f"{_EMV} §3.2",
    "too_long": f"{_EMV} §3.2",
    "payload_format": f"{_EMV} §4.1",
    "initiation_method": f"{_EMV} §4.7.2",
    "pix_template_missing": f"{_PIX} §1.3",
    "pix_template_repeated": f"{_PIX} §1.3",
    "pix_template_empty": f"{_PIX} §1.3",
    "gui_missing": f"{_EMV} §4.6; {_PIX} §1.3",
    "key_and_location": f"{_PIX} §1.5.1, §1.6.3",
    "key_form": f"{_DICT} (chave)",
    "description_too_long": f"{_PIX} §1.5.1",
    "withdrawal_ispb": f"{_API} (pss)",
    "location_protocol": f"{_PIX} §1.6.3",
    "location_form": f"{_PIX} §1.6.3",
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
    "additional_data_missing": f"{_BRCODE} (62)",
    "txid_missing": f"{_PIX} §1.5.2, §1.6.2",
    "txid_too_long": f"{_PIX} §1.5.2",
    "txid_characters": f"{_PIX} §1.5.2",
    "recurrence_empty": f"{_API} (recorrência)",
    "recurrence_repeated": f"{_API} (recorrência)",
    "crc_missing": f"{_EMV} §4.7.3",
    "crc_not_last": f"{_EMV} §3.2, §4.7.3",
    "crc_form": f"{_EMV} §4.7.3",
    "crc_mismatch": f"{_EMV} §4.7.3",
    "crc_latin1": f"{_EMV} §4.7.3",
}
_WARNINGS = {
    "non_ascii": f"{_PIX}; {_SEEN}",
    "gui_case": f"{_PIX} §1.3; {_SEEN}",
    "gui_not_first": f"{_PIX} §1.3; {_SEEN}",
    "key_check_digits": f"{_DICT} (chave)",
    "key_upper_case": f"{_DICT} (chave); {_SEEN}",
    "key_phone_number": f"{_DICT} (chave)",
    "telefone_fixo": f"{_DICT} (chave); Anatel, Plano de Numeração",
    "email_sem_ponto": f"{_DICT} (chave)",
    "ignored_with_location": f"{_PIX} §1.6.3",
    "amount_zero_dynamic": f"{_EMV} §4.7.4; {_SEEN}",
    "amount_not_canonical": f"{_API} (valor); {_SEEN}",
    "padded": _SEEN,
    "txid_characters_dynamic": f"{_PIX} §1.6.2",
    "brcode_version_field": f"{_BRCODE} (62-50); {_SEEN}",
    "recurrence_legacy_field": f"{_BRCODE} (80); {_API} (recorrência)",
    "crc_lower_case": f"{_EMV} §4.7.3; {_SEEN}",
}
REFERENCES = _ERRORS | _WARNINGS
"""The manual and section of each rule."""

WARNINGS = frozenset(_WARNINGS)
"""The rules that only warn."""
