"""Clients of AWS's services, by botocore alone: boto3 around it, with its transfers of files, is not needed.

The functions' layer holds botocore's data on these services and no other (``layers/shared/trim.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from botocore.config import Config
from botocore.exceptions import IncompleteReadError
from botocore.handlers import BUILTIN_HANDLERS, REGISTER_FIRST, REGISTER_LAST
from botocore.session import Session

if TYPE_CHECKING:
    from botocore.awsrequest import AWSResponse
    from botocore.model import OperationModel

__all__ = ["Service", "aws_client"]

Service = Literal["apigateway", "dynamodb", "ssm"]


def aws_client(service: Service, config: Config | None = None) -> Any:
    """A client with region and credentials as the environment has them.

    Raises ``botocore.exceptions.BotoCoreError`` where there is no region. So do its requests where an answer
    is cut off.
    """
    client = _session_for(service).create_client(service, config=config)
    client.meta.events.register("after-call", _refuse_half_answer)
    return client


def _session_for(service: Service) -> Session:
    """A session with the handlers of this service and of all services.

    Most of botocore's are for others. To register them takes two fifths of the time that a client takes.
    """
    session = Session(include_builtin_handlers=False)
    events = session.get_component("event_emitter")
    kinds = {REGISTER_FIRST: events.register_first, REGISTER_LAST: events.register_last}
    for event, handler, *kind in BUILTIN_HANDLERS:
        if event.split(".")[1:2] in ([], [service]):
            register = kinds[kind[0]] if kind else events.register
            register(event, handler)
    return session


def _refuse_half_answer(http_response: AWSResponse, model: OperationModel, **_: Any) -> None:
    """Raise ``IncompleteReadError`` where the connection has ended before the answer did.

    botocore holds no body against its length, and a head that is cut is taken for a whole one. Both would
    read as if there were nothing.
    """
    headers, found = http_response.headers, len(http_response.content)
    length = headers.get("Content-Length", "")
    # Chunks have an end, which is looked for. Elsewhere half an answer is not JSON, and an empty one is none.
    needs_some = model.output_shape is not None and "Transfer-Encoding" not in headers
    least = int(length) if length.isdigit() else int(needs_some)
    if found < least:
        raise IncompleteReadError(actual_bytes=found, expected_bytes=least)
