"""Alarms and dashboard of ``monitoring.yaml``, each with the metrics that it names."""

from collections.abc import Iterator
from typing import Any, NamedTuple


class Metric(NamedTuple):
    """A metric of CloudWatch; ``dimensions`` as the template has them, by name."""

    namespace: str
    name: str
    dimensions: dict[str, Any]


class Alarm(NamedTuple):
    """An alarm; ``name`` is without the stack's."""

    logical_id: str
    name: str
    condition: str
    properties: dict[str, Any]

    @property
    def metrics(self) -> list[Metric]:
        """What it looks at."""
        if "MetricName" in self.properties:
            return [_metric(self.properties)]
        return [_metric(query["MetricStat"]["Metric"]) for query in self.queries if "MetricStat" in query]

    @property
    def queries(self) -> list[dict[str, Any]]:
        """What it asks of CloudWatch, if more than one metric, as where every condition holds."""
        queries = self.properties.get("Metrics", [])
        return [query["Fn::If"][1] if "Fn::If" in query else query for query in queries]


def alarms(resources: dict[str, Any]) -> list[Alarm]:
    """Every alarm among resources."""
    return [
        Alarm(
            logical_id,
            resource["Properties"]["AlarmName"]["Fn::Sub"].removeprefix("${Service}/"),
            resource.get("Condition", ""),
            resource["Properties"],
        )
        for logical_id, resource in resources.items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    ]


def _metric(named: dict[str, Any]) -> Metric:
    dimensions = {one["Name"]: one["Value"] for one in named["Dimensions"]}
    return Metric(named["Namespace"], named["MetricName"], dimensions)


def dashboard(resources: dict[str, Any]) -> dict[str, Any]:
    """The body of the dashboard, with its references."""
    (found,) = (r for r in resources.values() if r["Type"] == "AWS::CloudWatch::Dashboard")
    body: dict[str, Any] = found["Properties"]["DashboardBody"]["Fn::ToJsonString"]
    return body


def shown(body: dict[str, Any]) -> Iterator[Metric]:
    """Every metric that a dashboard shows."""
    for widget in body["widgets"]:
        for row in widget["properties"].get("metrics", []):
            names = row[:-1] if is_options(row[-1]) else row
            if names:
                yield Metric(names[0], names[1], dict(zip(names[2::2], names[3::2], strict=True)))


def is_options(part: Any) -> bool:
    """Return whether a part of a metric's row is its options, and no reference."""
    return isinstance(part, dict) and part.keys() != {"Ref"}
