"""Reading of settings, which collects every invalid value so that all are reported at once."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from brskills_server.runtime.setting import Setting, declared_settings

_MAX_QUOTED = 80
_MAX_FILE_CHARACTERS = 256 * 1024


class InvalidSettings(ValueError):
    """Invalid settings. ``issues`` has one line for each and quotes no secret."""

    def __init__(self, *issues: str) -> None:
        super().__init__("\n".join(issues))
        self.issues = issues


class Reader:
    """The variables of an environment, with the issues found while reading them."""

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        self.environment = environment
        self.issues: list[str] = []

    def read(self, declared: Setting) -> Any:
        """Return the value of a setting, or its default where there is none or it is invalid."""
        value = self.environment.get(declared.name, "").strip() or declared.default
        try:
            return declared.parse(resolve_secret(declared, value) if declared.is_secret else value)
        except ValueError as error:
            self.issues.append(f"{declared.name} {error}")
            return declared.parse(declared.default)

    def read_all(self, dataclass: type) -> dict[str, Any]:
        """Return the values for the fields of a settings dataclass."""
        return {name: self.read(declared) for name, declared in declared_settings(dataclass).items()}

    def check(self, part: Callable[[], object]) -> None:
        """Call ``part``; a ``ValueError`` of it is one more issue."""
        try:
            part()
        except ValueError as error:
            self.issues.append(str(error))

    def finish(self) -> None:
        """Raise `InvalidSettings` if there were issues."""
        if self.issues:
            raise InvalidSettings(*dict.fromkeys(self.issues))  # store and snapshot may report the same


def resolve_secret(declared: Setting, value: str) -> str:
    """Return the secret that a value is or refers to. Raise ``ValueError`` if it cannot be read."""
    scheme, _, place = value.partition(":")
    if scheme == "file":
        try:
            content = read_text(place).removesuffix("\n").removesuffix("\r")
        except ValueError as error:  # the path is not repeated: it may be the secret itself
            raise ValueError(f"names a file that {error}") from None
        if not content.strip():
            raise ValueError("names a file that is empty")
        return content
    if scheme == "ssm" and not declared.is_read_late:
        # botocore takes a third of a second to load.
        from brskills_server.adapters.parameter_store import read_parameter

        return read_parameter(place)
    return value


def read_text(path: str) -> str:
    """Return the text of a file. Raise ``ValueError`` (a predicate without subject) if it cannot be used."""
    try:
        with Path(path).open(encoding="utf-8-sig") as opened:
            content = opened.read(_MAX_FILE_CHARACTERS + 1)  # a wrong path may lead to an endless device
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    except ValueError:
        raise ValueError("is not text in UTF-8") from None
    if "\0" in content:
        raise ValueError("is not text in UTF-8")
    if len(content) > _MAX_FILE_CHARACTERS:
        raise ValueError(f"is longer than {_MAX_FILE_CHARACTERS} characters")
    return content


def quoted(value: str) -> str:
    """Quote an invalid value for a message: on one line, shortened, without the password of an address."""
    before, slashes, rest = value.partition("//")
    if slashes and "@" in rest:
        value = f"{before}//…@{rest.rpartition('@')[2]}"
    return repr(value if len(value) <= _MAX_QUOTED else f"{value[:_MAX_QUOTED]}…")
