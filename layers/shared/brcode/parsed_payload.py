"""A text parsed into data objects, with whatever is wrong about its syntax (EMVCo QRCPS-MPM 1.1 §3.2)."""

from __future__ import annotations

from brcode.fields import ACCOUNT, PLACED, RECURRENCE
from brcode.rules import Finding
from brcode.tlv import ACCOUNT_TEMPLATES, ADDITIONAL_DATA, GUI, TEMPLATES, UNRESERVED_TEMPLATES, Flaw, parse

__all__ = ["ParsedPayload"]

_AROUND = " \t\r\n\v\f\x85\xa0\u2028\u2029\ufeff"
_BROKEN = {"object_malformed", "object_truncated"}
_PLACES = [(name, path[-2] if len(path) > 1 else "", path[-1]) for name, path in PLACED.items()]
_IDENTIFIED = ACCOUNT_TEMPLATES | UNRESERVED_TEMPLATES  # those that begin with a GUI


class ParsedPayload:
    """One text under inspection.

    ``root`` and ``templates`` hold objects by id. ``complete`` is false where the text could not be read to
    its end. ``findings`` is where every check reports. ``account`` and ``recurrence`` are the ids of Pix's
    templates and ``values`` what stands at the path of each field: see ``locate``.
    """

    __slots__ = ("account", "complete", "findings", "recurrence", "root", "templates", "text", "values")

    def __init__(self, text: str) -> None:
        self.findings: list[Finding] = []
        self.text = text.strip(_AROUND)
        if self.text != text:
            self.report("surrounding_space")
        self.root, flaws = parse(self.text)
        if _is_broken(flaws) and not self.text.isascii():
            flaws = self._count_bytes(flaws)
        self.complete = not _is_broken(flaws)
        self._report_flaws(flaws, None)
        self.templates = {tag: self._parse_template(tag) for tag in self.root if tag in TEMPLATES}

    def report(self, rule: str, field: str | None = None, **params: str | int) -> None:
        """Note that ``rule`` is broken at ``field``."""
        self.findings.append(Finding(rule, field, params))

    def is_missing(self, tag: str) -> bool:
        """Whether an object is not there, and not only cut off."""
        return self.complete and tag not in self.root

    def locate(self, account: str | None, recurrence: str | None) -> None:
        """Read the values of the fields, given the ids of Pix's templates."""
        self.account, self.recurrence = account, recurrence
        levels = {
            "": self.root,
            ACCOUNT: self.templates.get(account or "", {}),
            ADDITIONAL_DATA: self.templates.get(ADDITIONAL_DATA, {}),
            RECURRENCE: self.templates.get(recurrence or "", {}),
        }
        self.values = {name: levels[template].get(tag) for name, template, tag in _PLACES}

    def _count_bytes(self, flaws: list[Flaw]) -> list[Flaw]:
        """Read the lengths as counts of bytes: if that reaches the end, this is what is wrong."""
        # Latin-1 gives every byte a character
        by_bytes, byte_flaws = parse(self.text.encode("utf-8", "replace").decode("latin-1"))
        if _is_broken(byte_flaws):
            return flaws
        self.report("lengths_in_bytes")
        self.root = {
            tag: value.encode("latin-1").decode("utf-8", "replace") for tag, value in by_bytes.items()
        }
        return byte_flaws

    def _parse_template(self, tag: str) -> dict[str, str]:
        objects, flaws = parse(self.root[tag])
        self._report_flaws(flaws, tag)
        if tag in _IDENTIFIED and GUI not in objects and not _is_broken(flaws):
            self.report("gui_missing", tag, id=tag)
        return objects

    def _report_flaws(self, flaws: list[Flaw], template: str | None) -> None:
        for flaw in flaws:
            path = f"{template}-{flaw.id}" if template else flaw.id
            self.report(flaw.rule, path if flaw.id else template, id=path, position=flaw.position)


def _is_broken(flaws: list[Flaw]) -> bool:
    return any(flaw.rule in _BROKEN for flaw in flaws)
