"""Reading of every setting at the start of the gateway."""

from __future__ import annotations

import os
from logging.config import dictConfig

from brskills_server.gateway.log import log_config
from brskills_server.runtime.configuration import ENV_FILE, load_configuration
from brskills_server.runtime.custom_skills import find_custom_skills
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.local import read_settings, set_local_defaults
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.runtime.settings_table import LOG_LEVEL


def read_all_settings() -> tuple[GatewaySettings, Settings]:
    """Read files and environment, and configure the log. Raise `InvalidSettings` with all that is invalid."""
    reader = Reader(os.environ)
    load_configuration(reader, ENV_FILE)
    os.environ.setdefault(LOG_LEVEL.name, LOG_LEVEL.default)
    set_local_defaults()
    reader.read(LOG_LEVEL)  # an invalid one would end the workers
    gateway_settings, settings = GatewaySettings.read(reader), read_settings(reader)
    # The operator's commands do without: a key can be revoked though a custom skill is invalid.
    reader.check(lambda: find_custom_skills(settings.skill_plans))
    dictConfig(log_config(gateway_settings.log_format))
    reader.finish()
    return gateway_settings, settings
