"""``metrics.md``: the metrics of the server."""

from brskills_server.telemetry import figures
from brskills_server.telemetry.metrics import IN_CLOUDWATCH
from checks.reference.table import row

_HEAD = """# Metrics

A server serves its metrics to Prometheus at `METRICS_PORT`. On AWS those marked * are metrics of CloudWatch
(namespace `brskills`), summed over the labels that are not listed; a label's other values count as `other`.
Alarms: [runbooks](../operate/monitoring.md#runbooks).

| Metric | Type | Labels | |
|---|---|---|---|"""


def render() -> str:
    """Return the document in Markdown."""
    known = [each for each in vars(figures).values() if isinstance(each, figures.Figure)]
    return "\n".join([_HEAD, *map(_metric, known)])


def _metric(figure: figures.Figure) -> str:
    mark = " *" if figure.name in IN_CLOUDWATCH else ""
    return row(f"`{figure.name}`{mark}", figure.kind, ", ".join(figure.labels), figure.text)
