"""Issues of a charge or a code with their texts, and the exception for a charge that cannot become a code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from brcode.decode_texts import DECODE_CASES, DECODE_PHRASES, DECODE_TEXTS
from brcode.encode_texts import (
    ALERT_TEXTS,
    ENCODE_CASES,
    ENCODE_PHRASES,
    ENCODE_TEXTS,
    LOOKS,
    OR_RIGHT,
    RIGHT,
)
from brcode.rules import REFERENCES

OWN_NAMES: Mapping[str, str] = MappingProxyType({})
"""No names of the caller: every field keeps its EMV name."""

TEXTS = ENCODE_TEXTS | ALERT_TEXTS | DECODE_TEXTS
"""Portuguese and English template by code."""

_CASES = ENCODE_CASES | DECODE_CASES
_PHRASES = ENCODE_PHRASES | DECODE_PHRASES
_WHOLE_CODE = ("O código", "The code")


class _Parameters(dict[str, object]):
    """What fills a template: parameters, the caller's names of fields, or else EMV names."""

    def __missing__(self, emv_name: str) -> str:
        return emv_name


class Issue(NamedTuple):
    """What is wrong with one field of a charge or one element of a code.

    ``field``: a parameter of ``encode``, a name of ``Fields``, an id path such as ``"26"``, or ``None`` for
    the code as a whole. ``code``: stable; of a code that was read, a rule of ``brcode.rules``. ``params``
    fill the text; ``params["right"]``, where present, is the corrected value.
    """

    field: str | None
    code: str
    params: Mapping[str, str | int]

    @property
    def rule(self) -> str:
        """Return ``code``, by its name for rules of a code."""
        return self.code

    @property
    def reference(self) -> str:
        """Return the manual and section of the rule. Raise ``KeyError`` for an issue of a charge."""
        return REFERENCES[self.code]

    def detail(self, language: str = "pt", names: Mapping[str, str] = OWN_NAMES) -> str:
        """Return what is wrong and how to correct it, in ``"en"`` or else Portuguese.

        ``names``: the caller's names of fields, by EMV name; a field without one keeps its EMV name.
        """
        index = int(language == "en")
        template = _CASES.get(f"{self.code}:{self.params.get('case')}", TEXTS[self.code])[index]
        if self.code in ENCODE_TEXTS:
            if "or_right" in self.params:
                template += OR_RIGHT[index]
            elif "right" in self.params:
                template += RIGHT[index]
            if "looks" in self.params:
                template += LOOKS[str(self.params["looks"])][index]
        field = names.get(self.field, self.field) if self.field else _WHOLE_CODE[index]
        words = _Parameters(names, field=field)
        for name, value in self.params.items():
            if name in _PHRASES:
                words[name] = _PHRASES[name][str(value)][index].format_map(words)
            elif name == "others":
                words[name] = ", ".join(names.get(other, other) for other in str(value).split(", "))
            else:
                words[name] = value
        return template.format_map(words)


class InvalidCharge(ValueError):
    """The charge breaks rules; ``issues`` has each, in the order of the parameters of ``encode``."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__(issues)
        self.issues = issues

    @classmethod
    def of(cls, field: str, code: str, **params: str | int) -> InvalidCharge:
        """Return the exception for one field."""
        return cls((Issue(field, code, params),))

    def __str__(self) -> str:
        return " ".join(issue.detail("en") for issue in self.issues)
