"""Clients of AWS's services, by botocore alone: boto3 around it, with its transfers of files, is not needed.

The functions' layer holds botocore's data on these services and no other (``layers/shared/trim.py``).
"""

from typing import Any, Literal

from botocore.config import Config
from botocore.handlers import BUILTIN_HANDLERS, REGISTER_FIRST, REGISTER_LAST
from botocore.session import Session

__all__ = ["Service", "aws_client"]

Service = Literal["apigateway", "dynamodb", "ssm"]


def aws_client(service: Service, config: Config | None = None) -> Any:
    """A client with region and credentials as the environment has them.

    Raises ``botocore.exceptions.BotoCoreError`` where there is no region.
    """
    return _session_for(service).create_client(service, config=config)


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
