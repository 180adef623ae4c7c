"""All texts of the command in both languages."""

from __future__ import annotations

import errno
import os
import re
from typing import Any

import pytest

from brskills.command.commands import commands
from brskills.command.errors import file_reason
from brskills.command.language import texts_in
from brskills.command.texts import TEXTS

INVARIABLE = {"result_sem_resposta"}


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_has_the_same_values_in_both_languages(key: str) -> None:
    assert all(TEXTS[key])
    portuguese, english = ({*re.findall(r"{(\w+)", text)} for text in TEXTS[key])
    assert portuguese == english


@pytest.mark.parametrize("key", [key for key, texts in TEXTS.items() if "{count}" in texts[0]])
def test_a_count_has_a_singular_and_a_plural(key: str) -> None:
    singular, *plural = TEXTS[key][0].split("|")
    assert len(plural) == (0 if key in INVARIABLE else 1)
    assert all("{count}" in form for form in (singular, *plural))
    assert singular not in plural


def test_numbers_agree() -> None:
    text = texts_in("pt")
    assert [text("calls", count=count) for count in (0, 1, 2)] == ["0 chamadas", "1 chamada", "2 chamadas"]
    assert text("result_inexistente", count=1) == "1 inexistente (confirmado)"
    assert texts_in("en")("calls", count=1) == "1 call"


@pytest.mark.parametrize("code", ["ENOENT", "EACCES", "EISDIR", "ENOTDIR", "ENOSPC", "EROFS"])
def test_system_errors_are_in_the_language(code: str) -> None:
    number = getattr(errno, code)
    error = OSError(number, os.strerror(number), "c.csv")
    assert file_reason(error, texts_in("en")) == f"c.csv: {os.strerror(number)}"
    assert file_reason(error, texts_in("pt")) == f"c.csv: {TEXTS[code][0]}"


ENGLISH = re.compile(
    r"\b(usage|options?|commands?|arguments?|error|missing|invalid|show|try|default|required|value|file|text)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", [None, *commands(texts_in("pt"), "pt")])
def test_portuguese_help_and_errors_have_no_english(ended: Any, name: str | None) -> None:
    command = [name] if name else []
    for line in (["--help"], ["--bogus"], ["a", "b", "c"], ["--help=1"]):
        _, out, err = ended(*command, *line, "--lang=pt")
        assert not ENGLISH.search(re.sub(r"--[\w-]+|\S+/\S+", "", out + err)), out + err
