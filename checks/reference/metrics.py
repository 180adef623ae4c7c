"""``metrics.md``: the metrics of the server and the alarms on AWS."""

import yaml

from brskills_server.gateway.template import PATH, Loader
from brskills_server.telemetry import figures
from brskills_server.telemetry.metrics import IN_CLOUDWATCH
from checks.reference.table import row

_HEAD = """# Metrics and alarms

A server serves its metrics to Prometheus at `METRICS_PORT`. On AWS those marked * are metrics of CloudWatch
(namespace `brskills`), summed over the labels that are not listed; a label's other values count as `other`.

| Metric | Type | Labels | |
|---|---|---|---|"""
_ALARMS = """
## Alarms

Made by `monitoring.yaml` with `Monitoring=on`; each has a [runbook](../operate/monitoring.md) by its name:
"""


def render() -> str:
    """Return the document in Markdown."""
    known = [each for each in vars(figures).values() if isinstance(each, figures.Figure)]
    return "\n".join([_HEAD, *map(_metric, known), _ALARMS + _alarms()])


def _metric(figure: figures.Figure) -> str:
    mark = " *" if figure.name in IN_CLOUDWATCH else ""
    return row(f"`{figure.name}`{mark}", figure.kind, ", ".join(figure.labels), figure.text)


def _alarms() -> str:
    with PATH.with_name("monitoring.yaml").open(encoding="utf-8") as template:
        resources = yaml.load(template, Loader=Loader)["Resources"]  # noqa: S506, a SafeLoader
    names = [
        each["Properties"]["AlarmName"]["Fn::Sub"].rpartition("/")[2]
        for each in resources.values()
        if "AlarmDescription" in each.get("Properties", {})
    ]
    return ", ".join(f"`{name}`" for name in names) + "."
