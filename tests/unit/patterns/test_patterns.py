"""No regular expression of ours takes more steps than a text has characters, whatever the text.

They are found by reading the source, so a new one is covered as soon as it is written.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.gateway.template import load
from tests.unit.patterns.backtracking import TooManySteps, first_end, hostile_texts, steps

ROOT = Path(__file__).parents[3]
VERBS = {"compile", "match", "fullmatch", "search", "sub", "subn", "findall", "finditer", "split"}
ANYWHERE = {"search", "sub", "subn", "findall", "finditer", "split"}
SHORT, LONG = 20, 80


class Found(NamedTuple):
    """A pattern: where it stands, and whether it is looked for anywhere in a text."""

    place: str
    pattern: str
    flags: int
    anywhere: bool


def modules() -> Iterator[tuple[Path, ModuleType]]:
    for folder, prefix in (("layers/shared", ""), ("functions", "functions."), ("gateway", "gateway.")):
        for path in sorted((ROOT / folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if "import re\n" in source:
                name = prefix + ".".join(path.relative_to(ROOT / folder).with_suffix("").parts)
                yield path, importlib.import_module(name.removesuffix(".__init__"))


def patterns() -> Iterator[Found]:
    for path, module in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = str(path.relative_to(ROOT))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_re(node.func.value):
                verb = node.func.attr
                if verb in VERBS:
                    for pattern in written(node.args[0], tree, module, where):
                        flags = pattern.flags if isinstance(pattern, re.Pattern) else re.UNICODE
                        text = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
                        if isinstance(text, bytes):  # each byte as the character with its number
                            text = text.decode("latin-1")
                        anywhere = verb in ANYWHERE or (verb == "compile" and searched(node, tree))
                        yield Found(f"{where}:{node.lineno}", text, flags, anywhere)


def is_re(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "re"


def searched(compiled: ast.Call, tree: ast.Module) -> bool:
    """Whether the name that a compiled pattern gets is used to search."""
    names = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and node.value is compiled
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return any(
        isinstance(node, ast.Attribute) and node.attr in ANYWHERE and getattr(node.value, "id", None) in names
        for node in ast.walk(tree)
    )


def written(node: ast.expr, tree: ast.Module, module: ModuleType, where: str) -> list[Any]:
    """The patterns that an argument may be: text, a name for it, a generated one."""
    if where == "layers/shared/brskills_server/gateway/template.py" and not isinstance(node, ast.Constant):
        return [route.pattern for route in load().routes]
    if isinstance(node, ast.Name) and not hasattr(module, node.id):
        loops = [loop for loop in ast.walk(tree) if isinstance(loop, ast.For)]
        tuples = [loop.iter for loop in loops if getattr(loop.target, "id", "") == node.id]
        return [vars(module)[name.id] for names in tuples for name in names.elts]  # type: ignore[attr-defined]
    unknown = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} - set(vars(module))
    scope = vars(module) | dict.fromkeys(unknown, 8)  # a width
    return [eval(compile(ast.Expression(node), where, "eval"), dict(scope))]  # noqa: S307, our own source


def growth(found: Found) -> tuple[int, int]:
    """Steps at the worst for a text, and for one four times as long."""

    def worst(times: int) -> int:
        texts = hostile_texts(found.pattern, found.flags, times)
        return max((steps(found.pattern, found.flags, text, found.anywhere) for text in texts), default=0)

    return worst(SHORT), worst(LONG)


PATTERNS = list(dict.fromkeys(patterns()))


def test_all_of_them_are_found() -> None:
    attributes = {
        value.pattern if isinstance(value.pattern, str) else value.pattern.decode("latin-1")
        for _, module in modules()
        for value in [*vars(module).values(), *(getattr(v, "__self__", None) for v in vars(module).values())]
        if isinstance(value, re.Pattern)
    }
    sources = [*(ROOT / "layers/shared").rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    assert not [path for path in sources if "from re import" in path.read_text(encoding="utf-8")]
    assert attributes <= {found.pattern for found in PATTERNS}
    assert {found.place.partition("/")[0] for found in PATTERNS} == {"layers", "gateway"}


@pytest.mark.parametrize("found", PATTERNS, ids=lambda found: found.place)
def test_the_steps_grow_with_the_text_and_no_faster(found: Found) -> None:
    short, long = growth(found)
    assert long <= 5 * short + 100, found.pattern


@settings(deadline=None)
@given(st.sampled_from(PATTERNS), st.data())
def test_the_counting_engine_says_what_re_says(found: Found, data: st.DataObject) -> None:
    compiled = re.compile(found.pattern, found.flags)
    text = data.draw(st.from_regex(compiled) | st.sampled_from(list(hostile_texts(*found[1:3], 3)) or [""]))
    match = compiled.match(text)
    assert first_end(found.pattern, found.flags, text) == (match.end() if match else None)


@pytest.mark.parametrize(
    ("pattern", "anywhere"),
    [
        (r"(a+)+b", False),
        (r"(?:a|a)*b", False),
        (r"(?:a|ab|b)*c", False),
        (r"[^@]+@(?:[a-z]+\.?)+\Z", False),
        (r"x(.*)-(.*)-(.*)y", False),
        (r"\s+\Z", True),
        (r"(\w+)\s*=\s*(\w+);", True),
        (r"-\s*\s*x", False),
        (r"(?:a+?)+?b", False),
    ],
)
def test_what_is_known_to_be_slow_is_recognized(pattern: str, anywhere: bool) -> None:
    try:
        short, long = growth(Found("", pattern, re.UNICODE, anywhere))
    except TooManySteps:
        return
    assert long > 5 * short + 100
