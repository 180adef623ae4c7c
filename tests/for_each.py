"""One test over a table of values, for a body that takes less than a test's start and end."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]


def for_each(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with every row as the arguments of these names; a failure names its row.

    What fixtures give is the same for all rows. ``names``: as of ``pytest.mark.parametrize``.
    """
    arguments = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    table = list(rows)
    assert table, "a table without rows tests nothing"

    def over(test: Test) -> Test:
        @wraps(test)
        def loop(*args: Any, **fixtures: Any) -> None:
            for row in table:
                given = dict(zip(arguments, [row] if len(arguments) == 1 else row, strict=True))
                try:
                    test(*args, **given, **fixtures)
                except BaseException as failure:
                    failure.add_note(f"with {given!r}")
                    raise

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in arguments]
        loop.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return loop

    return over
