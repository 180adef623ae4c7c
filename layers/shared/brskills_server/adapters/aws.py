"""Clients of AWS services by botocore, without boto3 and its file transfers.

The functions' layer holds botocore's data on these services only (``layers/shared/trim.py``).
"""

from typing import Any, Literal

from botocore.awsrequest import AWSResponse
from botocore.config import Config
from botocore.exceptions import IncompleteReadError
from botocore.handlers import BUILTIN_HANDLERS, REGISTER_FIRST, REGISTER_LAST
from botocore.model import OperationModel
from botocore.session import Session

Service = Literal["apigateway", "dynamodb", "lambda", "sqs", "ssm"]


def aws_client(service: Service, config: Config | None = None) -> Any:
    """Return a client with the environment's region and credentials.

    Raise ``BotoCoreError`` without a region; its requests raise it for a truncated response.
    """
    client = _session_for(service).create_client(service, config=config)
    client.meta.events.register("after-call", _reject_truncated)
    return client


def _session_for(service: Service) -> Session:
    """Return a session with the handlers of one service and those of all services.

    Registering the others would take two fifths of a client's creation.
    """
    session = Session(include_builtin_handlers=False)
    events = session.get_component("event_emitter")
    kinds = {REGISTER_FIRST: events.register_first, REGISTER_LAST: events.register_last}
    for event, handler, *kind in BUILTIN_HANDLERS:
        if event.split(".")[1:2] in ([], [service]):
            register = kinds[kind[0]] if kind else events.register
            register(event, handler)
    return session


def _reject_truncated(http_response: AWSResponse, model: OperationModel, **_: Any) -> None:
    """Raise ``IncompleteReadError`` if the connection ended before the response did.

    botocore compares no body with its length and accepts a truncated head; both would read as empty. A body
    that is streamed is compared by who reads it.
    """
    if model.has_streaming_output:
        return
    headers, found = http_response.headers, len(http_response.content)
    length = headers.get("Content-Length", "")
    # The end of chunks is checked elsewhere. Otherwise half a body is not JSON, and an empty one is missing.
    needs_some = model.output_shape is not None and "Transfer-Encoding" not in headers
    least = int(length) if length.isdigit() else int(needs_some)
    if found < least:
        raise IncompleteReadError(actual_bytes=found, expected_bytes=least)
