"""The plain form of an e-mail address, the only one accepted."""

import re

_MOST_CHARACTERS = 254
_PLAIN = (
    r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}"
    r"@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)


def is_plain_address(text: str) -> bool:
    """Return whether a text is an address without quotes, spaces or characters special to a shell.

    Before the @ it has letters, digits and ``. _ + -``, and does not begin like a command's option.
    """
    return len(text) <= _MOST_CHARACTERS and bool(re.fullmatch(_PLAIN, text))
