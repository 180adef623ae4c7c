"""The errors of routes that read the register's copy."""

from brskills_server.skills.errors import ApiError

_AGAIN_SECONDS = 5
_MISSING_SECONDS = 3600  # the operator builds it


def no_copy() -> ApiError:
    """Return the error where there is no copy: nothing has failed, so it raises no alarm."""
    return ApiError("copy_unavailable", retry_after=_MISSING_SECONDS, nothing_failed=True)


def copy_failed(retry_after: int = _AGAIN_SECONDS, *, nothing_failed: bool = False) -> ApiError:
    """Return the error of a copy that is there and does not answer. ``nothing_failed``: in the sandbox."""
    return ApiError(
        "copy_unavailable",
        wording=":failed",
        parameters={"retry_after": retry_after},
        retry_after=retry_after,
        nothing_failed=nothing_failed,
    )
