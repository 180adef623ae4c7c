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

READERS: dict[str, tuple[Setting, ...]] = {
    "gateway": tuple(declared_settings(GatewaySettings).values()),
    "all": tuple(declared_settings(Settings).values()),
    "gateway, tools": (
        Setting(
            "CONFIG_FILE",
            description="file of `NAME=VALUE` lines, read instead of `.env`",
        ),
        CREATE_TABLES,
    ),
    "libraries": (DYNAMODB_ADDRESS, LOG_LEVEL),
}
"""Settings by who reads them; those of libraries have the libraries' names."""

SETTINGS = {each.name: each for each in chain.from_iterable(READERS.values())}

AWS_SETTINGS = {
    **{name: Setting(name) for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE")},
    **{
        name: Setting(name, is_secret=True)
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
    },
}
"""Variables of AWS' own library, which files of settings may set, too."""
