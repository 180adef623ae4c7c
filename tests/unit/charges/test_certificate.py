"""Whose a certificate is: the CNPJ that a subject or ICP-Brasil's other name states."""

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from brskills_server.charges.certificate import ICP_CNPJ, holder_of
from tests.services.psp import BANCO_DO_BRASIL, Authority, name_of

HOST = "pix.psp.example"
PERSON = x509.ObjectIdentifier("2.16.76.1.3.1")
"""ICP-Brasil's name of a person: day of birth, CPF and other numbers (DOC-ICP-04)."""


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority.root()


def other_name(number: str, kind: x509.ObjectIdentifier = ICP_CNPJ, tag: int = 0x13) -> x509.OtherName:
    return x509.OtherName(kind, bytes([tag, len(number)]) + number.encode())


def cnpj_of(authority: Authority, *others: x509.GeneralName, **subject: str) -> str | None:
    key = ec.generate_private_key(ec.SECP256R1())
    return holder_of(authority.issue(HOST, key, subject=name_of(HOST, **subject), others=others)).cnpj


def test_a_serial_number_is_a_cnpj_in_brazil_alone(authority: Authority) -> None:
    for jurisdiction, found in (("BR", BANCO_DO_BRASIL), ("PT", None), ("US", None)):
        cnpj = cnpj_of(authority, serial="00.000.000/0001-91", jurisdiction=jurisdiction)
        assert cnpj == found, jurisdiction
    assert cnpj_of(authority, serial=BANCO_DO_BRASIL) is None
    assert cnpj_of(authority, serial="00000000000192", jurisdiction="BR") is None


def test_icp_brasil_states_it_in_an_other_name(authority: Authority) -> None:
    person = other_name("0101197000000000191" + "0" * 32, PERSON)
    for tag in (0x13, 0x0C, 0x04):  # a printable, a UTF-8 and an octet string
        assert cnpj_of(authority, person, other_name(BANCO_DO_BRASIL, tag=tag)) == BANCO_DO_BRASIL, tag
    assert cnpj_of(authority, other_name("12ABC34501DE35")) == "12ABC34501DE35"
    assert cnpj_of(authority, person, other_name(BANCO_DO_BRASIL, PERSON)) is None
    assert cnpj_of(authority, other_name("00000000000192")) is None
