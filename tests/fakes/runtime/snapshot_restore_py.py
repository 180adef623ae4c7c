"""The hooks of AWS's runtime, as far as a function uses them."""

from collections.abc import Callable

after_restore: list[Callable[[], None]] = []


def register_after_restore(work: Callable[[], None]) -> Callable[[], None]:
    after_restore.append(work)
    return work
