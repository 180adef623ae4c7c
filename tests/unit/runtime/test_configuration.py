"""Settings from files: precedence, issues, and secrets that are never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from brskills_server.runtime.configuration import load_configuration
from brskills_server.runtime.settings_reader import Reader

SECRET = "postgresql://brskills:hunter2@db/brskills"


def read(tmp_path: Path, text: str | bytes = "", **environment: str) -> Reader:
    """The reader after a file of such a text was loaded into its environment."""
    file = tmp_path / "brskills.conf"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    reader = Reader({"CONFIG_FILE": str(file), **environment})
    load_configuration(reader)
    return reader


def loaded(tmp_path: Path, text: str | bytes = "", **environment: str) -> dict[str, str]:
    reader = read(tmp_path, text, **environment)
    assert reader.issues == []
    return {name: value for name, value in reader.environment.items() if name != "CONFIG_FILE"}


def issues(tmp_path: Path, text: str | bytes = "", **environment: str) -> list[str]:
    found = read(tmp_path, text, **environment).issues
    assert all("\n" not in issue and "hunter2" not in issue for issue in found)
    return [issue.replace(str(tmp_path), "") for issue in found]


def test_lines_are_as_in_an_environment_file(tmp_path: Path) -> None:
    text = """
# a comment
; another one
PORT=9000
  HOST = 0.0.0.0\t
STORE="postgresql://u:a=b#c;d 'e'@db/x"
DEMO_API_KEY='two "words"'
PROJECT_URL=
LOG_FORMAT=json\r
"""
    assert loaded(tmp_path, text) == {
        "PORT": "9000",
        "HOST": "0.0.0.0",
        "STORE": "postgresql://u:a=b#c;d 'e'@db/x",
        "DEMO_API_KEY": 'two "words"',
        "LOG_FORMAT": "json",
    }


def test_empty_settings_are_removed_and_others_stripped() -> None:
    given = {"PORT": "1 ", "CONFIG_FILE": " ", "STORE": " memory\r", "AWS_PROFILE": "", "OTHER": " as it is "}
    load_configuration(Reader(given))
    assert given == {"PORT": "1", "STORE": "memory", "OTHER": " as it is "}


def test_the_environment_overrides_the_file_but_not_by_an_empty_value(tmp_path: Path) -> None:
    found = loaded(tmp_path, "PORT=9000\nHOST=0.0.0.0", PORT="9001", HOST="")
    assert (found["PORT"], found["HOST"]) == ("9001", "0.0.0.0")


def test_every_issue_is_reported_at_once(tmp_path: Path) -> None:
    text = "PORTO=1\nPORT=2\nPORT=3\nhunter2\nSTORE=hunter2\nZZZZZZZZ=1\nCONFIG_FILE=/x"
    assert issues(tmp_path, text, DEMO_API_KEY="file:/nowhere/hunter2") == [
        "CONFIG_FILE: line 1: there is no setting PORTO; is it PORT?",
        "CONFIG_FILE: line 3: PORT is set a second time",
        "CONFIG_FILE: line 4 is not NAME=VALUE",
        "CONFIG_FILE: line 6: there is no setting ZZZZZZZZ",
        "CONFIG_FILE: line 7: there is no setting CONFIG_FILE",
        "DEMO_API_KEY names a file that cannot be read: No such file or directory",
    ]


@pytest.mark.parametrize("line", ["=hunter2", "aHVudGVyMg==hunter2", "export STORE=hunter2"])
def test_an_invalid_line_is_not_repeated(tmp_path: Path, line: str) -> None:
    assert issues(tmp_path, line) == ["CONFIG_FILE: line 1 is not NAME=VALUE"]


def test_a_file_that_cannot_be_read_is_an_issue(tmp_path: Path) -> None:
    assert issues(tmp_path, b"PORT=\xff") == ["CONFIG_FILE: /brskills.conf is not text in UTF-8"]
    assert issues(tmp_path, b"PORT=1\0") == ["CONFIG_FILE: /brskills.conf is not text in UTF-8"]
    assert issues(tmp_path, CONFIG_FILE=str(tmp_path)) == ["CONFIG_FILE:  cannot be read: Is a directory"]
    assert issues(tmp_path, CONFIG_FILE="/nowhere/x.conf") == [
        "CONFIG_FILE: /nowhere/x.conf cannot be read: No such file or directory"
    ]
    assert issues(tmp_path, CONFIG_FILE="/dev/zero") == ["CONFIG_FILE: /dev/zero is not text in UTF-8"]
    assert issues(tmp_path, "# \n" * 100_000) == [
        "CONFIG_FILE: /brskills.conf is longer than 262144 characters"
    ]


def test_a_byte_order_mark_is_not_part_of_a_text(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET, encoding="utf-8-sig")
    text = f"PORT=9000\nSTORE=file:{secret}".encode("utf-8-sig")
    assert loaded(tmp_path, text) == {"PORT": "9000", "STORE": SECRET}


@pytest.mark.parametrize(
    ("content", "value"),
    [(SECRET, SECRET), (SECRET + "\n", SECRET), (SECRET + "\r\n", SECRET), ("a\n\n", "a\n"), (" a ", " a ")],
)
def test_a_secret_may_be_in_a_file(tmp_path: Path, content: str, value: str) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(content.encode())
    assert loaded(tmp_path, STORE=f"file:{secret}") == {"STORE": value}
    assert loaded(tmp_path, f"STORE=file:{secret}") == {"STORE": value}


def test_only_a_secret_may_be_in_a_file(tmp_path: Path) -> None:
    assert loaded(tmp_path, ACCESS_TABLE="file:/x") == {"ACCESS_TABLE": "file:/x"}


def test_each_form_in_the_environment_overrides_each_in_the_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("from a file")
    assert loaded(tmp_path, f"STORE=file:{secret}", STORE="literal") == {"STORE": "literal"}
    assert loaded(tmp_path, "STORE=written", STORE=f"file:{secret}") == {"STORE": "from a file"}


def test_a_parameter_is_read_at_the_start_unless_its_adapter_reads_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(
        "brskills_server.adapters.parameter_store._get_parameter",
        lambda: lambda **_: {"Parameter": {"Value": SECRET}},
    )
    given = {"STORE": "ssm:/store", "STRIPE_API_KEY": "ssm:/stripe"}
    assert loaded(tmp_path, **given) == {**given, "STORE": SECRET}
    (issue,) = issues(tmp_path, AWS_SECRET_ACCESS_KEY="ssm:/key")
    assert issue.startswith("AWS_SECRET_ACCESS_KEY takes no ssm:")


def test_a_secret_in_place_of_a_path_is_not_repeated(tmp_path: Path) -> None:
    assert issues(tmp_path, STORE=f"file:{SECRET}") == [
        "STORE names a file that cannot be read: No such file or directory"
    ]


def test_an_empty_secret_is_an_issue(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    assert issues(tmp_path, STORE=f"file:{tmp_path}/empty") == ["STORE names a file that is empty"]


def test_loading_again_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    environment = {"STORE": f"file:{tmp_path}/secret"}
    for _ in range(2):
        load_configuration(Reader(environment))
    assert environment == {"STORE": SECRET}


def test_the_default_file_is_read_unless_another_is_named(tmp_path: Path) -> None:
    default, other = tmp_path / ".env", tmp_path / "other"
    default.write_text("PORT=1\nHOST=a.example\n")
    other.write_text("PORT=2\n")
    given = {"HOST": "b.example"}
    load_configuration(Reader(given), str(default))
    assert given == {"PORT": "1", "HOST": "b.example"}
    named = {"CONFIG_FILE": str(other)}
    load_configuration(Reader(named), str(default))
    assert named["PORT"] == "2"
    assert "HOST" not in named
    absent: dict[str, str] = {}
    load_configuration(Reader(absent), str(tmp_path / "absent"))
    assert absent == {}


def test_an_issue_of_the_default_file_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text("PORTO=1\n")
    reader = Reader({})
    load_configuration(reader, ".env")
    assert reader.issues == [".env: line 1: there is no setting PORTO; is it PORT?"]
