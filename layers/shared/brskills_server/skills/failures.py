"""What is wrong with a custom skill, for the operator's log: callers are told of an internal error.

The messages name skills, packages and classes of errors, and nothing that a caller sent.
"""

__all__ = ["FaultySkills", "SkillFailed"]


class FaultySkills(ValueError):
    """Packages declare custom skills that cannot be; the message names all that is wrong, in one line."""


class SkillFailed(Exception):
    """A custom skill raised what it must not, or answered what its result model does not hold."""
