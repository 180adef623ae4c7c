"""Lines of the gateway: in one piece, as text or as objects, and with nothing of a caller."""

from __future__ import annotations

import errno
import io
import json
import logging
import logging.config
import sys
import time

import pytest

from brskills_server.gateway.log import log_call, log_config, log_failure, report

SECRET = "529.982.247-25 de fulano@exemplo.com.br"


class FullDisk(io.StringIO):
    """Where a line is written to in vain."""

    def write(self, line: str) -> int:
        raise OSError(errno.ENOSPC, line)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whatever is written to standard error, piece by piece."""
    pieces: list[str] = []
    monkeypatch.setattr(sys.stderr, "write", pieces.append)
    return pieces


def configure(form: str) -> None:
    logging.config.dictConfig(log_config(form))


def test_a_call_is_a_line_of_text_in_one_piece(written: list[str]) -> None:
    configure("text")
    log_call("GET /", 200, time.perf_counter(), "id", {"calls": 2, "failed": 1})
    (line,) = written
    assert line.split(" ", 1)[1].startswith("GET / 200 ")
    assert line.endswith(" ms id calls=2 failed=1\n")


def test_a_call_is_an_object_on_one_line_in_one_piece(written: list[str]) -> None:
    configure("json")
    log_call("GET /", 200, time.perf_counter(), "id", {"calls": 2, "failed": 1})
    (text,) = written
    assert text.count("\n") == 1
    line = json.loads(text)
    assert line.pop("time").endswith("Z")
    assert line.pop("ms") >= 0
    named = {"level": "info", "message": "call", "route": "GET /", "status": 200, "request_id": "id"}
    assert line == {**named, "calls": 2, "failed": 1}


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_happens_to_the_gateway_itself_is_a_line_too(written: list[str], form: str) -> None:
    configure(form)
    report("worker replaced", worker=7)
    assert ("worker=7" in written[0]) if form == "text" else (json.loads(written[0])["worker"] == 7)


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exception_is_named_by_its_class_and_place(written: list[str], form: str) -> None:
    configure(form)
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        log_failure("id", error)
        # Of asyncio's kind: the message has the exception, too.
        logging.getLogger("any.library").error("it failed\nfuture: %r", error, exc_info=True)
    for line in written:
        assert "ValueError" in line
        assert "test_log.py" in line
        assert "fulano" not in line
        assert SECRET[:3] + "." not in line
        assert "fulano" not in line


@pytest.mark.parametrize("form", ["text", "json"])
def test_libraries_warn_in_our_form_and_say_nothing_less(written: list[str], form: str) -> None:
    configure(form)
    logging.getLogger("httpx").info("GET https://cnpj.example/33000167000101")
    logging.getLogger("psycopg.pool").warning("error connecting in %r", "pool-1")
    assert len(written) == 1
    assert "error connecting" in written[0]


def test_a_full_disk_costs_nobody_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", FullDisk())
    configure("text")
    log_call("GET /", 200, time.perf_counter(), "id")
