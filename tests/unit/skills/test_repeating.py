"""What a request that is sent again is known by."""

from typing import Any

import pytest

from brskills_server.skills.errors import ApiError
from brskills_server.skills.idempotency import fingerprint


def test_what_is_nested_too_deeply_to_be_written_is_refused_as_where_it_cannot_be_read() -> None:
    junk: list[Any] = []
    for _ in range(100_000):
        junk = [junk]
    with pytest.raises(ApiError) as refused:
        fingerprint("create_pix_codes", {"itens": [{}, junk]})
    assert refused.value.code == "malformed_json"
    assert refused.value.parameters["reason"]
