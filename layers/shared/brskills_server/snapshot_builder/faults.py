"""Why a build ends without a new copy. The former one stays in place."""

__all__ = ["BuildFault"]


class BuildFault(Exception):
    """The text is for the operator: a line for each thing that is wrong, and no content of any row."""
