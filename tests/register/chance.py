"""Random choices, the same for the same seed, quick enough for millions of companies."""

import random
import zlib
from collections.abc import Sequence
from typing import TypeVar

from tests.register.digits import cpf_digits
from tests.register.words import WORDS

T = TypeVar("T")


def draw(*parts: object) -> float:
    """Return a number below 1 that depends on the parts alone; a tenth of the price of a ``Chance``."""
    return zlib.crc32(repr(parts).encode()) / 2**32


class Chance(random.Random):
    """A source of chance with the few draws that the generator needs."""

    def pick(self, options: Sequence[T]) -> T:
        """Return one of several; repeat an option to make it likelier."""
        return options[int(self.random() * len(options))]

    def word(self, kind: str) -> str:
        """Return one of the words of a kind (``words.json``)."""
        return self.pick(WORDS[kind])

    def happens(self, share: float) -> bool:
        """Return whether something of this share happens."""
        return self.random() < share

    def between(self, low: int, high: int) -> int:
        """Return a whole number, both ends included."""
        return low + int(self.random() * (high - low + 1))

    def number(self, width: int) -> str:
        """Return ``width`` digits, of which the first is not a zero."""
        least: int = 10 ** (width - 1)
        return str(least + int(self.random() * 9 * least))

    def day(self) -> str:
        """Return a day of the years 1990 to 2025 as YYYYMMDD."""
        return f"{self.between(1990, 2025)}{self.between(1, 12):02}{self.between(1, 28):02}"

    def cpf(self) -> str:
        """Return an invented CPF with its check digits."""
        nine = self.number(9)
        return nine + cpf_digits(nine)

    def masked_cpf(self) -> str:
        """Return a CPF as the files show those of partners."""
        return f"***{self.number(6)}**"
