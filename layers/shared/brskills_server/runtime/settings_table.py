"""Every setting, by the programs that read it; the README's table and the keys of ``CONFIG_FILE`` follow."""

from __future__ import annotations

from itertools import chain

from brskills_server.runtime import setting_types as types
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.setting import Setting, declared_settings
from brskills_server.runtime.settings import Settings

CREATE_TABLES = Setting("CREATE_TABLES", "0", types.choice("0", "1"), "`1` creates DynamoDB's tables")
DYNAMODB_ADDRESS = Setting(
    "AWS_ENDPOINT_URL_DYNAMODB", "", types.server_address, "another address of DynamoDB", "AWS"
)
LOG_LEVEL = Setting(
    "POWERTOOLS_LOG_LEVEL",
    "WARNING",
    types.log_level,
    "`INFO` logs each call and each event of Stripe's as JSON, with nothing of the caller",
    "`WARNING` locally, `INFO` on AWS",
)

_AWS_DEFAULT = "as botocore finds them; invented for an emulator"

READERS: dict[str, tuple[Setting, ...]] = {
    "gateway": tuple(declared_settings(GatewaySettings).values()),
    "all": (*declared_settings(Settings).values(), LOG_LEVEL),
    "gateway, tools": (
        Setting("CONFIG_FILE", description="file of `NAME=VALUE` lines; the environment overrides it"),
        DYNAMODB_ADDRESS,
        CREATE_TABLES,
        *(
            Setting(name, description="where DynamoDB is", documented_default=_AWS_DEFAULT)
            for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE")
        ),
        *(
            Setting(name, "", str, "credentials for DynamoDB; not `ssm:`", _AWS_DEFAULT, is_secret=True)
            for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
        ),
    ),
    "`make copy`": (
        Setting("REGISTRY_FOLDER", "data/receita", str, "where a snapshot for the store is built"),
        Setting("REGISTRY_TABLES", description="[DynamoDB tables of the snapshot](docs/register-aws.md)"),
        Setting("REGISTRY_BUCKET", description="[S3 bucket of the snapshot](docs/register-aws.md)"),
    ),
}
"""Settings by who reads them."""

SETTINGS = {each.name: each for each in chain.from_iterable(READERS.values())}
