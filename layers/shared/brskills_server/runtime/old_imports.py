"""Imports of earlier versions in custom skills, as ``skills.skill``, while declarations are loaded."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from brskills_server.skills import custom, errors, issues, skill, validation

_MODULES = {
    "skills": (),
    "skills.custom": (custom,),
    "skills.refusals": (issues, errors),
    "skills.skill": (skill,),
    "skills.validation": (validation,),
}
_RENAMED = {"Refusal": "ApiError", "WordedFault": "FieldIssue"}


class _OldModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        new = _RENAMED.get(name, name)
        for module in _MODULES[self.__name__]:
            if hasattr(module, new):
                message = f"{self.__name__}.{name} is now {module.__name__}.{new}"
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                return getattr(module, new)
        raise AttributeError(name)


@contextmanager
def old_imports() -> Iterator[None]:
    """Let modules that are imported meanwhile use the old names, unless a package ``skills`` is installed."""
    modules = {} if find_spec("skills") else {name: _OldModule(name) for name in _MODULES}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]
