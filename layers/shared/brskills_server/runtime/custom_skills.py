"""Finding the custom skills of an installation: what its packages declare, each checked, or none at all."""

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

from brskills_server.skills.custom import ENTRY_POINTS, CustomSkills
from brskills_server.skills.failures import FaultySkills
from brskills_server.skills.skill import Skill

__all__ = ["find_custom_skills", "installed_packages"]


def installed_packages() -> dict[str, str]:
    """The packages that declare custom skills, with their versions, by the skills' names; none is loaded."""
    return {entry.name: _package_of(entry) for entry in entry_points(group=ENTRY_POINTS)}


def find_custom_skills(plans: Mapping[str, frozenset[str]]) -> CustomSkills:
    """Every custom skill that is installed, ready to run; ``plans``: skill → plans that may use it.

    Raises ``FaultySkills``. A service that left a faulty skill out, or took one of two of a name, would
    answer its customers with a 404, or with a skill that is not theirs.
    """
    entries = sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: (entry.name, _package_of(entry)))
    names = [entry.name for entry in entries]
    found: dict[str, Skill] = {}
    faults: list[str] = []
    for entry in entries:
        where = f"{entry.name} of {_package_of(entry)}"
        wrong = [] if names.count(entry.name) == 1 else ["another package declares a skill of this name"]
        wrong += _load(entry, found)
        faults += [f"{where}: {fault}" for fault in wrong]
    unknown = sorted(plans.keys() - set(names))
    if unknown:
        faults.append(f"SKILL_PLANS names skills that are not installed: {', '.join(unknown)}")
    if faults:
        raise FaultySkills(f"custom skills: {'; '.join(faults)}")
    return CustomSkills(found, plans)


def _package_of(entry: EntryPoint) -> str:
    """The package that an entry point comes from, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package without a name"


def _load(entry: EntryPoint, found: dict[str, Skill]) -> Iterator[str]:
    """Put what an entry point declares among the ``found``, ready to run; gives what is wrong with it."""
    from brskills_server.skills.bulkhead import guarded
    from brskills_server.skills.custom_rules import (
        faults_of,  # pydantic's, which most installations have no skill for
    )

    try:
        declared = entry.load()
        faults = list(faults_of(entry.name, declared))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit, and what test tools raise
        # It is the operator's own package that speaks here, before there is any caller.
        yield " ".join(f"{type(error).__name__}: {error}".split())
        return
    if not faults:
        found[entry.name] = guarded(declared)
    yield from faults
