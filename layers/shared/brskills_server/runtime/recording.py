"""The recorder of a function's metrics."""

from collections.abc import Mapping

from brskills_server.telemetry import record_with


def choose_recorder(environment: Mapping[str, str]) -> None:
    """Record metrics in CloudWatch if AWS runs this process and the deployment has a namespace for them.

    Anywhere else the recorder stays: the gateway has chosen its own before it opens services.
    """
    if environment.get("AWS_LAMBDA_FUNCTION_NAME") and environment.get("POWERTOOLS_METRICS_NAMESPACE"):
        from brskills_server.adapters.cloudwatch import CloudWatchRecorder  # for functions on AWS alone

        record_with(CloudWatchRecorder())
