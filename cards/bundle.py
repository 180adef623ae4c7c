"""One expression of JavaScript in place of modules that import each other."""

import re
from collections.abc import Sequence
from pathlib import Path

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|(?:async )?function) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)


def bundle(name: str, folders: Sequence[Path]) -> str:
    """Return an expression whose value is an object of the module's exports.

    A module is that of the first folder that has it. Each is evaluated once whenever the expression is. Raise
    ``ValueError`` for an import or an export of another form than the page's.
    """
    modules: dict[str, str] = {}
    _add(name, folders, modules)
    scripts = "\n".join(
        f'modules["{found}"] = (() => {{\n{script}}})();' for found, script in modules.items()
    )
    return f'(() => {{\nconst modules = {{}};\n{scripts}\nreturn modules["{name}"];\n}})()'


def _add(name: str, folders: Sequence[Path], modules: dict[str, str]) -> None:
    """Add a module after those that it imports."""
    source = next(folder / name for folder in folders if (folder / name).exists()).read_text("utf-8")
    for _, imported in _IMPORT.findall(source):
        if imported not in modules:
            _add(imported, folders, modules)
    exported = ", ".join(_EXPORT.findall(source))
    script = _EXPORT.sub("", _IMPORT.sub(r'const { \1 } = modules["\2"];', source))
    if unknown := _OTHER.search(script):
        raise ValueError(f"{name}: {unknown[0]}")
    modules[name] = f"{script}return {{ {exported} }};\n"
