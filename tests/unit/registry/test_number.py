"""The canonical form of a CNPJ."""

import pytest

from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.registry import parse_cnpj


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("33.000.167/0001-01", "33000167000101"),
        (" 33000167000101 ", "33000167000101"),
        ("00000000e08g12", "00000000E08G12"),
        ("00.000.000/E08G-12", "00000000E08G12"),
        (191, "00000000000191"),
        (33000167000101, "33000167000101"),
        ("sandbox1000170", "SANDBOX1000170"),
    ],
)
def test_numbers(given: str | int, canonical: str) -> None:
    assert parse_cnpj(given) == canonical


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("191", "invalid_cnpj"),
        ("", "invalid_cnpj"),
        ("3300016700010ı", "invalid_cnpj"),
        (True, "invalid_cnpj"),
        (-191, "invalid_cnpj"),
        (10**14, "invalid_cnpj"),
        ("33000167000102", "invalid_check_digits"),
        (192, "invalid_check_digits"),
        ("00000000000000", "invalid_check_digits"),
        (0, "invalid_check_digits"),
    ],
)
def test_no_numbers(given: str | int, code: str) -> None:
    with pytest.raises(InvalidCnpj) as error:
        parse_cnpj(given)
    assert error.value.code == code
    assert not given or str(given) not in str(error.value)
