"""A text parsed into data objects, and the issues of its syntax (EMVCo QRCPS-MPM 1.1 §3.2)."""

from brcode.errors import Issue
from brcode.fields import ACCOUNT, PLACED, RECURRENCE
from brcode.lengths import find_wrong_lengths
from brcode.tlv import ACCOUNT_TEMPLATES, ADDITIONAL_DATA, GUI, TEMPLATES, UNRESERVED_TEMPLATES, parse

_STRIPPED = " \t\r\n\v\f\x85\xa0\u2028\u2029\ufeff"
_ENDS_PARSING = {"object_malformed", "object_truncated"}
_PLACES = [(name, path[-2] if len(path) > 1 else "", path[-1]) for name, path in PLACED.items()]
_IDENTIFIED = ACCOUNT_TEMPLATES | UNRESERVED_TEMPLATES  # those that begin with a GUI


class ParsedPayload:
    """A text being decoded.

    ``root`` and ``templates`` hold objects by id. ``complete`` is false where the text could not be read to
    its end. ``issues`` collects those of every check. ``account`` and ``recurrence`` are the ids of Pix's
    templates and ``values`` the values of fields: see ``locate``.
    """

    __slots__ = ("account", "complete", "issues", "recurrence", "root", "templates", "text", "values")

    def __init__(self, text: str) -> None:
        self.issues: list[Issue] = []
        self.text = text.strip(_STRIPPED)
        if self.text != text:
            self.report("surrounding_space")
        self.root, issues = parse(self.text)
        if _is_broken(issues) and not self.text.isascii():
            issues = self._count_bytes(issues)
        self.complete = not _is_broken(issues)
        if self.complete or not self._explain_lengths():
            self._report_syntax(issues, None)
        self.templates = {tag: self._parse_template(tag) for tag in self.root if tag in TEMPLATES}

    def report(self, rule: str, field: str | None = None, **params: str | int) -> None:
        """Add the issue that ``rule`` is broken at ``field``."""
        self.issues.append(Issue(field, rule, params))

    @property
    def place(self) -> str | None:
        """Return the field behind whose address the charge is; ``None`` where the code says it itself."""
        if self.values["location"] is not None:
            return "location"
        behind = self.values["recurrence_location"] is not None and self.values["key"] is None
        return "recurrence_location" if behind else None

    def is_missing(self, tag: str) -> bool:
        """Return whether an object is absent from a text that was read to its end."""
        return self.complete and tag not in self.root

    def locate(self, account: str | None, recurrence: str | None) -> None:
        """Set the values of the fields, given the ids of Pix's templates."""
        self.account, self.recurrence = account, recurrence
        levels = {
            "": self.root,
            ACCOUNT: self.templates.get(account or "", {}),
            ADDITIONAL_DATA: self.templates.get(ADDITIONAL_DATA, {}),
            RECURRENCE: self.templates.get(recurrence or "", {}),
        }
        self.values = {name: levels[template].get(tag) for name, template, tag in _PLACES}

    def _count_bytes(self, issues: list[Issue]) -> list[Issue]:
        """Parse with lengths that count bytes. If that reaches the end, report it and return its issues."""
        # Latin-1 gives every byte a character
        by_bytes, byte_issues = parse(self.text.encode("utf-8", "replace").decode("latin-1"))
        if _is_broken(byte_issues):
            return issues
        self.report("lengths_in_bytes")
        self.root = {
            tag: value.encode("latin-1").decode("utf-8", "replace") for tag, value in by_bytes.items()
        }
        return byte_issues

    def _explain_lengths(self) -> bool:
        """Report the wrong lengths that keep the text from being read, and return whether there are any."""
        found = find_wrong_lengths(self.text)
        if found is None:
            return False
        self.root, wrong = found
        for tag, position, declared, value, case in wrong:
            sizes: dict[str, str | int] = {"declared": declared, "actual": len(value)}
            self.report("object_malformed", tag, id=tag, position=position, **sizes, case=case)
        return True

    def _parse_template(self, tag: str) -> dict[str, str]:
        objects, issues = parse(self.root[tag])
        self._report_syntax(issues, tag)
        if tag in _IDENTIFIED and GUI not in objects and not _is_broken(issues):
            self.report("gui_missing", tag, id=tag)
        return objects

    def _report_syntax(self, issues: list[Issue], template: str | None) -> None:
        for found in issues:
            path = f"{template}-{found.field}" if template else found.field
            self.report(found.code, path if found.field else template, id=path or "", **found.params)


def _is_broken(issues: list[Issue]) -> bool:
    return any(issue.code in _ENDS_PARSING for issue in issues)
