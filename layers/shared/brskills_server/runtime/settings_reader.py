"""Reading settings: every one that is wrong is remembered, so that all of them can be told at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

__all__ = ["InvalidSettings", "Reader", "quoted"]

T = TypeVar("T")

_LONGEST = 80


def quoted(value: str) -> str:
    """A value that is wrong as a message may hold it: on one line, not longer than one can read, and without
    the user and password of an address, which may stand at a wrong name.
    """
    before, slashes, rest = value.partition("//")
    if slashes and "@" in rest:
        value = f"{before}//…@{rest.rpartition('@')[2]}"
    return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…")


class InvalidSettings(ValueError):
    """Settings that cannot be; ``faults`` says what is wrong, a line each, and quotes no secret."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class Reader:
    """Variables of an environment. A fault goes to ``faults``, and the variable's default serves instead."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self.faults: list[str] = []

    def text(self, name: str, default: str = "") -> str:
        """The value without white space around it, or the default where there is none."""
        return self.environment.get(name, "").strip() or default

    def read(self, name: str, default: str, parse: Callable[[str], T]) -> T:
        """The value as ``parse`` reads it, whose ``ValueError`` continues a sentence begun by the name."""
        try:
            return parse(self.text(name, default))
        except ValueError as fault:
            self.faults.append(f"{name} {fault}")
            return parse(default)

    def whole(self, name: str, default: int, *, least: int = 0, most: int = 10**12) -> int:
        """A whole number within bounds."""

        def parse(value: str) -> int:
            if not value.isascii() or not value.isdigit():
                raise ValueError(f"must be a whole number, not {quoted(value)}")
            # Python refuses to read thousands of digits, in words of its own.
            if len(value) > _LONGEST or not least <= int(value) <= most:
                raise ValueError(f"must be from {least} to {most}, not {quoted(value)[1:-1]}")
            return int(value)

        return self.read(name, str(default), parse)

    def one_of(self, name: str, default: str, *others: str) -> str:
        """One of a few words."""

        def parse(value: str) -> str:
            if value not in {default, *others}:
                raise ValueError(f"takes {', '.join((default, *others))}")
            return value

        return self.read(name, default, parse)

    def check(self, part: Callable[[], object]) -> None:
        """Run a part of the configuration whose ``ValueError`` is one more fault."""
        try:
            part()
        except InvalidSettings as several:
            self.faults += several.faults
        except ValueError as fault:
            self.faults.append(str(fault))

    def finish(self) -> None:
        """Raise ``InvalidSettings`` if anything was wrong."""
        if self.faults:
            raise InvalidSettings(*dict.fromkeys(self.faults))  # the store and the copy in it have the same
