"""Modules are joined in the order in which they need each other, and nothing is joined in part."""

import json
from pathlib import Path

import pytest

from cards.bundle import bundle

MODULES = {
    "main.js": 'import { twice } from "./twice.js";\nimport { one } from "./one.js";\n'
    "export const two = twice(one);\n",
    "twice.js": 'import { one } from "./one.js";\nexport function twice(value) { return one * 2 * value; }\n',
    "one.js": "export const one = 1;\n",
}


def write(folder: Path, **scripts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, script in scripts.items():
        (folder / f"{name}.js").write_text(script, "utf-8")
    return folder


def test_each_module_comes_once_and_after_those_that_it_imports(tmp_path: Path) -> None:
    for name, script in MODULES.items():
        (tmp_path / name).write_text(script, "utf-8")
    joined = bundle("main.js", [tmp_path])
    places = [joined.index(f'modules["{name}"] = ') for name in ("one.js", "twice.js", "main.js")]
    assert places == sorted(places)
    assert joined.count('modules["one.js"] = ') == 1
    assert 'const { twice } = modules["twice.js"];' in joined
    assert "return { twice };" in joined
    assert "import" not in joined
    assert "export" not in joined


def test_the_first_folder_that_has_a_module_gives_it(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a", x="export const x = 1;\n"), write(tmp_path / "b", x="nothing\n")
    assert "x = 1" in bundle("x.js", [first, second])
    with pytest.raises(StopIteration):
        bundle("y.js", [first, second])


@pytest.mark.parametrize(
    "script",
    [
        'import * as all from "./one.js";',
        'import { one } from "https://example.com/one.js";',
        "export { one };",
        "export default 1;",
        'const later = await import("./one.js");',
    ],
)
def test_other_forms_are_refused(tmp_path: Path, script: str) -> None:
    folder = write(tmp_path, x=f"{script}\n", one="export const one = 1;\n")
    with pytest.raises(ValueError, match=r"x\.js: "):
        bundle("x.js", [folder])


def test_names_in_texts_are_no_imports(tmp_path: Path) -> None:
    text = json.dumps("we import and export")
    assert text in bundle("x.js", [write(tmp_path, x=f"export const x = {text};\n")])
