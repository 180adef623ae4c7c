"""Settings from files: what wins, what is refused, and what is never said."""

from __future__ import annotations

from pathlib import Path

import pytest

from brskills_server.runtime.configuration import load_configuration
from brskills_server.runtime.settings_reader import InvalidSettings

SECRET = "postgresql://brskills:hunter2@db/brskills"


def loaded(tmp_path: Path, text: str | bytes = "", **environment: str) -> dict[str, str]:
    """The environment as it is with a file of such a text."""
    file = tmp_path / "brskills.conf"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    given = {"CONFIG_FILE": str(file), **environment}
    load_configuration(given)
    return {name: value for name, value in given.items() if name != "CONFIG_FILE"}


def faults(tmp_path: Path, text: str | bytes = "", **environment: str) -> list[str]:
    with pytest.raises(InvalidSettings) as wrong:
        loaded(tmp_path, text, **environment)
    assert all("\n" not in fault and "hunter2" not in fault for fault in wrong.value.faults)
    assert str(wrong.value) == "\n".join(wrong.value.faults)
    return [fault.replace(str(tmp_path), "") for fault in wrong.value.faults]


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


def test_without_a_file_what_says_something_stays() -> None:
    environment = {"PORT": "1", "CONFIG_FILE": " ", "STORE": "\t", "AWS_PROFILE": "", "OTHER": " as it is "}
    load_configuration(environment)
    assert environment == {"PORT": "1", "OTHER": " as it is "}


def test_white_space_around_a_value_is_not_part_of_it() -> None:
    environment = {"STORE": " memory\r", "STORE_TIMEOUT_SECONDS": "7 "}
    load_configuration(environment)
    assert environment == {"STORE": "memory", "STORE_TIMEOUT_SECONDS": "7"}


def test_the_environment_wins_but_not_by_an_empty_value(tmp_path: Path) -> None:
    found = loaded(tmp_path, "PORT=9000\nHOST=0.0.0.0", PORT="9001", HOST="")
    assert (found["PORT"], found["HOST"]) == ("9001", "0.0.0.0")


@pytest.mark.parametrize(
    "text",
    [
        "DEMO_MONTLY_LIMIT=5",
        "DEMO_MONTHLY_LIMITS=5",
        "DEMO_MONTH_LIMIT=5",
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path, text: str) -> None:
    (fault,) = faults(tmp_path, f"# one\n{text}")
    name = text.partition("=")[0]
    assert fault == f"CONFIG_FILE: line 2: there is no setting {name}; is it DEMO_MONTHLY_LIMIT?"


def test_a_name_near_no_other_is_refused_too(tmp_path: Path) -> None:
    assert faults(tmp_path, "ZZZZZZZZ=1") == ["CONFIG_FILE: line 1: there is no setting ZZZZZZZZ"]
    assert faults(tmp_path, "CONFIG_FILE=/x")[0].startswith("CONFIG_FILE: line 1: there is no setting CONFIG")
    assert "PORT_FILE" in faults(tmp_path, "PORT_FILE=/x")[0]  # for secrets alone


@pytest.mark.parametrize("line", ["hunter2", "=hunter2", "aHVudGVyMg==hunter2", "export STORE=hunter2"])
def test_a_line_that_is_none_is_not_repeated(tmp_path: Path, line: str) -> None:
    assert faults(tmp_path, line) == ["CONFIG_FILE: line 1 is not NAME=VALUE"]


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = "PORTO=1\nPORT=2\nPORT=3\nhunter2\nSTORE=hunter2\nSTORE_FILE=/nowhere"
    told = faults(tmp_path, text, DEMO_API_KEY_FILE="/nowhere/hunter2")
    assert told == [
        "CONFIG_FILE: line 1: there is no setting PORTO; is it PORT?",
        "CONFIG_FILE: line 3: PORT is set a second time",
        "CONFIG_FILE: line 4 is not NAME=VALUE",
        "STORE and STORE_FILE are both set",
        "DEMO_API_KEY_FILE: what it names cannot be read: No such file or directory",
    ]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert faults(tmp_path, b"PORT=\xff") == ["CONFIG_FILE: /brskills.conf is not text in UTF-8"]
    assert faults(tmp_path, b"PORT=1\0") == ["CONFIG_FILE: /brskills.conf is not text in UTF-8"]
    (fault,) = faults(tmp_path, CONFIG_FILE=str(tmp_path))
    assert fault == "CONFIG_FILE:  cannot be read: Is a directory"
    (fault,) = faults(tmp_path, CONFIG_FILE="/nowhere/x.conf")
    assert fault == "CONFIG_FILE: /nowhere/x.conf cannot be read: No such file or directory"


def test_a_byte_order_mark_is_not_part_of_a_text(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET, encoding="utf-8-sig")
    text = f"PORT=9000\nSTORE_FILE={secret}".encode("utf-8-sig")
    assert loaded(tmp_path, text) == {"PORT": "9000", "STORE": SECRET}


@pytest.mark.parametrize(
    ("content", "value"),
    [(SECRET, SECRET), (SECRET + "\n", SECRET), (SECRET + "\r\n", SECRET), ("a\n\n", "a\n"), (" a ", " a ")],
)
def test_a_secret_may_stand_in_a_file_of_its_own(tmp_path: Path, content: str, value: str) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(content.encode())
    assert loaded(tmp_path, STORE_FILE=str(secret)) == {"STORE": value}
    assert loaded(tmp_path, f"STORE_FILE={secret}") == {"STORE": value}


def test_either_form_of_the_environment_wins_over_either_of_the_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("from a file")
    assert loaded(tmp_path, f"STORE_FILE={secret}", STORE="named") == {"STORE": "named"}
    assert loaded(tmp_path, "STORE=written", STORE_FILE=str(secret)) == {"STORE": "from a file"}


def test_a_secret_put_where_its_path_belongs_is_not_repeated(tmp_path: Path) -> None:
    assert faults(tmp_path, STORE_FILE=SECRET) == [
        "STORE_FILE: what it names cannot be read: No such file or directory"
    ]


def test_an_empty_secret_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    assert faults(tmp_path, STORE_FILE=str(tmp_path / "empty")) == ["STORE_FILE: what it names is empty"]


def test_to_load_again_changes_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    environment = {"STORE_FILE": str(secret)}
    for _ in range(2):
        load_configuration(environment)
    assert environment == {"STORE": SECRET}


@pytest.mark.parametrize(
    ("file", "fault"), [("zero", "is not text in UTF-8"), ("long", "is longer than 262144 characters")]
)
def test_a_file_that_cannot_be_the_configuration_is_not_read_to_its_end(
    tmp_path: Path, file: str, fault: str
) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "long").write_text("# \n" * 100_000)
    with pytest.raises(InvalidSettings) as wrong:
        load_configuration({"CONFIG_FILE": str(tmp_path / file)})
    assert wrong.value.faults == (f"CONFIG_FILE: {tmp_path / file} {fault}",)
