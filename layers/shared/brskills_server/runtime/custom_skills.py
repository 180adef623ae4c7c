"""The custom skills that installed packages declare: all of them checked, or none used."""

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

from brskills_server.skills.custom import ENTRY_POINTS, CustomSkills
from brskills_server.skills.custom_errors import FaultySkills
from brskills_server.skills.skill import Skill


def installed_packages() -> dict[str, str]:
    """Return the packages that declare custom skills, with versions, by the skills' names; load none."""
    return {entry.name: _package_of(entry) for entry in entry_points(group=ENTRY_POINTS)}


def find_custom_skills(plans: Mapping[str, frozenset[str]]) -> CustomSkills:
    """Return every installed custom skill, ready to run; ``plans``: skill → plans that may use it.

    Raise ``FaultySkills`` if any is faulty: without it customers would be answered 404.
    """
    entries = sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: (entry.name, _package_of(entry)))
    names = [entry.name for entry in entries]
    found: dict[str, Skill] = {}
    faults: list[str] = []
    for entry in entries:
        wrong = [] if names.count(entry.name) == 1 else ["another package declares a skill of this name"]
        wrong += _load(entry, found)
        faults += [f"{entry.name} of {_package_of(entry)}: {fault}" for fault in wrong]
    if unknown := sorted(plans.keys() - set(names)):
        faults.append(f"SKILL_PLANS names skills that are not installed: {', '.join(unknown)}")
    if faults:
        raise FaultySkills(f"custom skills: {'; '.join(faults)}")
    return CustomSkills(found, plans)


def _package_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package without a name"


def _load(entry: EntryPoint, found: dict[str, Skill]) -> Iterator[str]:
    """Add the skill that an entry point declares to ``found``, ready to run; yield what is wrong with it."""
    # They import pydantic, and most installations have no custom skill.
    from brskills_server.skills.bulkhead import with_bulkhead
    from brskills_server.skills.custom_rules import faults_of

    try:
        declared = entry.load()
        faults = list(faults_of(entry.name, declared))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit, and what test tools raise
        # The message is the operator's own package's; there is no caller yet whom it could quote.
        yield " ".join(f"{type(error).__name__}: {error}".split())
        return
    if not faults:
        found[entry.name] = with_bulkhead(declared)
    yield from faults
