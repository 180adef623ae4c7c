"""A text taken apart into data objects, with whatever is wrong about its shape (EMVCo QRCPS-MPM 1.1 §3.2)."""

from __future__ import annotations

from brcode.rules import Finding
from brcode.tlv import ACCOUNT_TEMPLATES, GUI, TEMPLATES, UNRESERVED_TEMPLATES, Flaw, parse

__all__ = ["Shape"]

_AROUND = " \t\r\n\v\f\x85\xa0\u2028\u2029\ufeff"
_BROKEN = {"object_malformed", "object_truncated"}
_MARKED = ACCOUNT_TEMPLATES | UNRESERVED_TEMPLATES  # those that say whose they are


class Shape:
    """One text under inspection.

    ``root`` and ``templates`` hold objects by id, ``whole`` is false where the text could not be read to its
    end, ``findings`` are gathered here by every check.
    """

    __slots__ = ("code", "findings", "root", "templates", "whole")

    def __init__(self, text: str) -> None:
        self.findings: list[Finding] = []
        self.code = text.strip(_AROUND)
        if self.code != text:
            self.report("surrounding_space")
        self.root, flaws = parse(self.code)
        if _broken(flaws) and not self.code.isascii():
            flaws = self._count_bytes(flaws)
        self.whole = not _broken(flaws)
        self._report_flaws(flaws, None)
        self.templates = {tag: self._parse_template(tag) for tag in self.root if tag in TEMPLATES}

    def report(self, rule: str, field: str | None = None, **params: str | int) -> None:
        """Note that ``rule`` is broken at ``field``."""
        self.findings.append(Finding(rule, field, params))

    def is_missing(self, tag: str) -> bool:
        """Whether an object is not there, and not only cut off."""
        return self.whole and tag not in self.root

    def _count_bytes(self, flaws: list[Flaw]) -> list[Flaw]:
        """Read the lengths as counts of bytes: if that reaches the end, this is what is wrong."""
        # Latin-1 gives every byte a character
        by_bytes, byte_flaws = parse(self.code.encode("utf-8", "replace").decode("latin-1"))
        if _broken(byte_flaws):
            return flaws
        self.report("lengths_in_bytes")
        self.root = {
            tag: value.encode("latin-1").decode("utf-8", "replace") for tag, value in by_bytes.items()
        }
        return byte_flaws

    def _parse_template(self, tag: str) -> dict[str, str]:
        objects, flaws = parse(self.root[tag])
        self._report_flaws(flaws, tag)
        if tag in _MARKED and GUI not in objects and not _broken(flaws):
            self.report("gui_missing", tag, id=tag)
        return objects

    def _report_flaws(self, flaws: list[Flaw], template: str | None) -> None:
        for flaw in flaws:
            path = f"{template}-{flaw.id}" if template else flaw.id
            self.report(flaw.rule, path if flaw.id else template, id=path, position=flaw.position)


def _broken(flaws: list[Flaw]) -> bool:
    return any(flaw.rule in _BROKEN for flaw in flaws)
