"""``settings.md``: every setting, from the table that reads them."""

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

import yaml

from brskills_server.gateway.template import PATH, Loader
from brskills_server.runtime.setting import Setting
from brskills_server.runtime.settings_table import AWS_SETTINGS, READERS

_HEAD = """# Settings

A setting is an environment variable, or a line of `.env` or of the file that `CONFIG_FILE` names; the
environment overrides both ([files](../operate/on-premise.md)). On AWS it is a parameter of `template.yaml`
where the table names one. † marks a secret: the value itself, `file:/path`, or `ssm:/name` in AWS' Parameter
Store; as a parameter of the template `ssm:/name` alone. Every invalid setting is reported at the start."""
_TAIL = """
{} are read by AWS' library, and may be in the file, too; for an emulator of DynamoDB they are invented where
they are not set.
"""
_PARAMETERS = {"PROBE_SECONDS": "ProbeMinutes", "OPENAI_APPS_CHALLENGE": "OpenAIAppsChallenge"}
"""Parameters whose names do not follow from the variable's."""

_READERS = {
    "gateway": ("The server", "`make run` and on-premise alone."),
    "all": ("The service", "The server, the functions on AWS and the operator's tools."),
    "gateway, tools": ("Files and tables", "The server and the operator's tools."),
    "libraries": ("Libraries", "Variables of AWS' library and of Powertools, which the server checks."),
}


def render() -> str:
    """Return the document in Markdown."""
    with PATH.open(encoding="utf-8") as template:
        parameters = yaml.load(template, Loader=Loader)["Parameters"].keys()  # noqa: S506, a SafeLoader
    return "\n".join(_lines(parameters))


def _lines(parameters: Collection[str]) -> Iterator[str]:
    yield _HEAD
    for readers, settings in READERS.items():
        title, text = _READERS[readers]
        yield f"\n## {title}\n\n{text}\n"
        yield "| Variable | Parameter | Default | |"
        yield "|---|---|---|---|"
        for (default, description, mark), alike in groupby(settings, _columns):
            names = [each.name for each in alike]
            found = [parameter for name in names if (parameter := _parameter(name)) in parameters]
            meaning = description.replace("(docs/", "(../")
            yield f"| {_code(names)}{mark} | {_code(found)} | {default} | {meaning} |"
    yield _TAIL.format(_code(AWS_SETTINGS))


def _columns(declared: Setting) -> tuple[str, str, str]:
    default = declared.default if declared.default.isdigit() else f"`{declared.default}`"
    default = declared.documented_default or (default if declared.default else "none")
    return default, declared.description, " †" * declared.is_secret


def _parameter(name: str) -> str:
    return _PARAMETERS.get(name) or "".join(word.capitalize() for word in name.split("_"))


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
