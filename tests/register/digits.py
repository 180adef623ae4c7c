"""Check digits for invented numbers. ``taxid`` only tests them; its answer is what these must satisfy."""

_CNPJ = ((5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2), (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))
_CPF = ((10, 9, 8, 7, 6, 5, 4, 3, 2), (11, 10, 9, 8, 7, 6, 5, 4, 3, 2))


def cnpj_digits(root_and_order: str) -> str:
    """Return the two digits of a CNPJ after its twelve upper-case characters."""
    return _digits(root_and_order, _CNPJ)


def cpf_digits(nine: str) -> str:
    """Return the two digits of a CPF after its nine."""
    return _digits(nine, _CPF)


def _digits(text: str, weights: tuple[tuple[int, ...], tuple[int, ...]]) -> str:
    values = [code - 48 for code in text.encode()]
    first = _digit(values, weights[0])
    values.append(first)
    return f"{first}{_digit(values, weights[1])}"


def _digit(values: list[int], weights: tuple[int, ...]) -> int:
    rest = sum(map(int.__mul__, values, weights)) % 11
    return 0 if rest < 2 else 11 - rest
