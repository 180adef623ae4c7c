"""Reading JSON bodies: exact numbers, encodings, and the problems of unreadable ones."""

import base64
import contextlib
import gzip
import json
import zlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.skills.account.keys import RotateRequest
from brskills_server.skills.cnpj.models import CompanyRequest
from brskills_server.skills.errors import ApiError
from brskills_server.skills.validation import check_request
from brskills_server.web.body import read_json
from brskills_server.web.problems import Problem, content_of, problem_of
from brskills_server.web.request import Request
from tests.for_each import for_each


def request(
    body: bytes | str, content_type: str | None = "application/json", headers: dict[str, str] | None = None
) -> Request:
    sent = {**(headers or {}), **({"content-TYPE": content_type} if content_type else {})}
    event = {
        "httpMethod": "POST",
        "resource": "/",
        "headers": sent,
        "isBase64Encoded": isinstance(body, bytes),
    }
    return Request({**event, "body": base64.b64encode(body).decode() if isinstance(body, bytes) else body})


def code_of(request: Request, **options: bool) -> str:
    with pytest.raises(ApiError) as caught:
        read_json(request, **options)
    return caught.value.code


@for_each(
    "body",
    [
        "", "   ", "{", "{'a': 1}", '{"a": 1,}', "nope", '{"a": 1} x', '{"a": NaN}', '{"a": -Infinity}',
        '{"a": [[], ["x", "\\ud800"]]}',
        '{"a": 1, "a": 1}', '{"a": {"b": 1, "b": 2}}', '{"a": "\\ud800"}', '{"\\udfff": 1}', b"\xff\xfe{}",
        "[" * 8000, '{"a":' * 3000, '{"a": 01}', '{"a": +1}', '\ufeff\ufeff{"a": 1}', '{"a": "\n"}',
    ],
)  # fmt: skip
def test_what_is_not_json_is_malformed(body) -> None:
    assert code_of(request(body)) == "malformed_json"


def problem_of_body(body: bytes | str, **headers: str) -> Problem:
    sent = request(body.encode() if isinstance(body, str) else body, None, headers=headers)
    with pytest.raises(ApiError) as caught:
        read_json(sent)
    problem = problem_of(caught.value)
    assert problem
    return problem


PLAIN = '{"nome": "São João", "valor": "10.00"}'
# Without a time, so that the test's name is the same wherever it is collected.
PACKED = gzip.compress(PLAIN.encode(), mtime=0)


@for_each(
    ("body", "headers", "status", "code", "pt", "en"),
    [
        ("", {}, 400, "malformed_json", "vazio", "empty"),
        (" \r\n", {}, 400, "malformed_json", "vazio", "empty"),
        ("\ufeff\n", {}, 400, "malformed_json", "vazio", "empty"),
        ("", {"Content-Encoding": "gzip"}, 400, "malformed_json", "vazio", "empty"),
        (PLAIN.encode("latin-1"), {}, 400, "malformed_json", "byte 12 ", "byte 12 "),
        (b"\xef\xbb\xbf" + PLAIN.encode("cp1252"), {}, 400, "malformed_json", "byte 15 ", "Latin-1"),
        (PLAIN.encode("utf-16"), {}, 400, "malformed_json", "UTF-16", "UTF-16"),
        (PLAIN.encode("utf-16-le"), {}, 400, "malformed_json", "UTF-16", "Send JSON in UTF-8"),
        (PLAIN.encode("utf-16-be"), {}, 400, "malformed_json", "UTF-16", "UTF-16"),
        (PLAIN.encode("utf-32"), {}, 400, "malformed_json", "UTF-32", "UTF-32"),
        (PACKED, {}, 415, "unsupported_media_type", "sem compressão", "uncompressed"),
        (zlib.compress(PLAIN.encode()), {}, 415, "unsupported_media_type", "sem compressão", "uncompressed"),
        (b"\x28\xb5\x2f\xfd\x20\x02{}", {}, 415, "unsupported_media_type", "comprimido", "uncompressed"),
        (b"\x0b\x01\x80{}\x03", {"Content-Encoding": "br"}, 415, "unsupported_media_type", "br", "br"),
        (b"\x8b\x06", {"content-encoding": "GZIP, br"}, 415, "unsupported_media_type", "gzip", "gzip"),
        ('{"a": 1', {"Content-Encoding": "identity"}, 400, "malformed_json", "linha 1, coluna 8", "column 8"),
    ],
)  # fmt: skip
def test_the_problem_of_an_unreadable_body_names_its_kind(body, headers, status, code, pt, en) -> None:
    # API Gateway passes a text on, with U+FFFD in place of bytes that are not UTF-8.
    for sent in (body, body.decode(errors="replace") if isinstance(body, bytes) else body):
        problem = problem_of_body(sent, **headers)
        assert (problem.status, problem.code) == (status, code)
        assert pt in content_of(problem, "", "pt")["detail"]
        assert en in content_of(problem, "", "en")["detail"]


@for_each("coding", ["", "identity", "gzip"])
def test_a_mark_of_byte_order_and_an_unpacked_body_are_read(coding) -> None:
    event = {"httpMethod": "POST", "resource": "/", "headers": {"Content-Encoding": coding}}
    assert read_json(Request({**event, "body": f"\ufeff{PLAIN}"})) == json.loads(PLAIN)


@given(
    st.text(st.characters(exclude_characters="\ufffd"), max_size=30),
    st.text("áéíõçÃ", min_size=1, max_size=5),
    st.text(max_size=30),
)
def test_the_problem_names_the_first_byte_that_is_not_utf_8(before, accents, after) -> None:
    sound = before.encode("utf-8", "replace")
    sent = b'{"a":"' + sound + accents.encode("latin-1") + b'"}' + after.encode("utf-8", "replace")
    problem = problem_of_body(sent)
    place = problem.parameters["byte"]
    sent[: place - 1].decode()
    assert sent[place - 1] in accents.encode("latin-1")


def test_json_that_is_no_object_is_an_invalid_request() -> None:
    for body in ("[]", '"x"', "1", "null", "true", "[{}]"):
        assert code_of(request(body)) == "invalid_fields"


def test_every_media_type_of_json_is_read_and_no_other() -> None:
    for read in ("application/json", "APPLICATION/JSON; charset=utf-8", "application/merge-patch+json", None):
        assert read_json(request('{"a": "é"}', read)) == {"a": "é"}
    for refused in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert code_of(request("{}", refused)) == "unsupported_media_type"


def test_sixteen_kibibytes_are_the_most() -> None:
    room = 16 * 1024 - len('{"a":""}')
    assert read_json(request(json.dumps({"a": "x" * room}, separators=(",", ":"))))
    assert code_of(request(json.dumps({"a": "x" * (room + 1)}, separators=(",", ":")))) == "body_too_large"
    assert code_of(request(b"\xff" * 1_000_000, "text/plain")) == "body_too_large"


def test_an_absent_body_is_empty_where_it_may_be() -> None:
    assert read_json(request("", "text/plain"), optional=True) == {}
    assert code_of(request("x"), optional=True) == "malformed_json"


@for_each("written", ["3600", "3600.0", "36e2"])
def test_a_whole_number_may_be_written_as_a_floating_one(written) -> None:
    content = read_json(request(f'{{"cnpj": 33000167000101.0, "idade_maxima": {written}}}'))
    read = check_request(CompanyRequest, content)
    assert (read.cnpj, read.idade_maxima) == (33000167000101, 3600)


@for_each("written", ["1.5", "1e99999999", "1e99999999999999999999", "NaN1"])
def test_no_other_number_is_whole(written) -> None:
    with pytest.raises(ApiError):
        check_request(RotateRequest, read_json(request(f'{{"sobreposicao_segundos": {written}}}')))


@for_each(
    ("written", "read"),
    [
        ("49.90", Decimal("49.90")),
        ("0.30000000000000004", Decimal("0.30000000000000004")),
        ("10.0000000000000000001", Decimal("10.0000000000000000001")),
        ("1e400", Decimal("1e400")),
        ("1e99999999999999999999", Decimal("1E+999999")),
        ("1e-99999999999999999999", Decimal("1E-999999")),
        ("49", 49),
        ("9" * 5000, Decimal("9" * 5000)),
    ],
)
def test_a_number_is_read_as_it_is_written(written, read) -> None:
    value = read_json(request(f'{{"valor": {written}}}'))["valor"]
    assert (value, type(value)) == (read, type(read))


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_body_is_read_or_an_api_error(body) -> None:
    with contextlib.suppress(ApiError):
        read_json(request(body))
