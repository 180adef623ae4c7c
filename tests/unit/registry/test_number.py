"""The canonical form of a CNPJ."""

import pytest

from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.registry import parse_cnpj
from tests.for_each import for_each

CPF = "002.261.353-65"
"""With three zeros in front it has the check digits of a CNPJ."""


@for_each(
    ("given", "expected"),
    [
        ("33.000.167/0001-01", "33000167000101"),
        (" 33000167000101 ", "33000167000101"),
        ("00000000e08g12", "00000000E08G12"),
        ("00.000.000/E08G-12", "00000000E08G12"),
        ("16.727.230.0001-97", "16727230000197"),
        ("16.727.230/0001\u201397", "16727230000197"),
        ("00 000\xa0000 / 0001 \u2212 91", "00000000000191"),
        (191, "00000000000191"),
        (33000167000101, "33000167000101"),
        ("sandbox1000170", "SANDBOX1000170"),
        *(
            (form, "invalid_cnpj")
            for form in ("191", "2674113000106", CPF, "", "3300016700010ı", True, -191, 10**14)
        ),
        *((wrong, "invalid_check_digits") for wrong in ("33000167000102", 192, "00000000000000", 0)),
    ],
)
def test_numbers(given: str | int, expected: str) -> None:
    if not expected.startswith("invalid"):
        assert parse_cnpj(given) == expected
        return
    with pytest.raises(InvalidCnpj) as error:
        parse_cnpj(given)
    assert error.value.code == expected
    assert error.value.lost_zeros is (given in {"191", "2674113000106"})
    assert not given or str(given) not in str(error.value)
