"""Decoding of an answer's body while it arrives, with a limit on its size."""

import zlib

import httpx

from brskills.errors import ConnectionFailed, UnexpectedAnswer

ACCEPTED_ENCODING = "gzip"
MAX_BYTES = 8 * 1024 * 1024
"""Of a body, encoded and decoded; the service's answers have at most 5 MB."""

_GZIP = 16 + zlib.MAX_WBITS


class Body:
    """The body of one answer. httpx would decode a small part into gigabytes."""

    def __init__(self, answer: httpx.Response) -> None:
        encoding = answer.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in {"identity", ACCEPTED_ENCODING}:
            raise UnexpectedAnswer(answer.status_code, "an encoding that was not requested", answer.headers)
        self._answer = answer
        self._decoder = zlib.decompressobj(_GZIP) if encoding == ACCEPTED_ENCODING else None
        self._received = 0
        self.content = bytearray()

    def add(self, part: bytes) -> None:
        """Decode and append a part; raise `UnexpectedAnswer` beyond ``MAX_BYTES``."""
        self._received += len(part)
        self.content += self._decode(part)
        if max(self._received, len(self.content)) > MAX_BYTES:
            limit = f"more than {MAX_BYTES >> 20} MB"
            raise UnexpectedAnswer(self._answer.status_code, limit, self._answer.headers)

    def _decode(self, part: bytes) -> bytes:
        if self._decoder is None:
            return part
        try:
            return self._decoder.decompress(part, MAX_BYTES + 1 - len(self.content))
        except zlib.error:
            raise ConnectionFailed("DecodingError") from None
