"""What a reply is compared with, and how a difference is reported without any text of the reply."""

from deployment.smoke.service import Reply


class CheckFailed(Exception):
    """Another reply than the expected one. ``code`` is the problem's code, if it is a problem."""

    def __init__(self, expected: str, reply: Reply, found: str = "") -> None:
        self.expected, self.got = expected, f"{reply}{found and '; '}{found}"
        self.code = reply.code
        super().__init__(f"expected {self.expected}, got {self.got}")


def expect(reply: Reply, status: int, code: str = "") -> Reply:
    """Return the reply, which has this status and problem code. Raise ``CheckFailed`` otherwise."""
    if (reply.status, reply.code) != (status, code):
        raise CheckFailed(f"{status} {code}".strip(), reply)
    return reply


def require(reply: Reply, holds: bool, content: str, found: str = "without it") -> None:
    """Raise ``CheckFailed`` unless the reply ``holds`` this content; say what was ``found`` instead."""
    if not holds:
        raise CheckFailed(f"{reply.status} with {content}", reply, found)
