"""The providers of company records; ``catalogue`` has them by their ids."""

REMOTE_IDS = ("opencnpj", "brasilapi", "minhareceita", "cnpja", "cnpjws", "receitaws")
"""Providers that are called over HTTP."""

PAID_IDS = ("cnpja", "cnpjws")
"""Providers that also have a paid address."""

MOST_PAID_PER_DAY = 86_399
"""The highest limit of paid calls: ``health.provider_state`` counts them by the seconds of a day."""

SNAPSHOT_ID = "receita"
"""The deployment's snapshot of the register, which has no address."""

PROVIDER_IDS = (SNAPSHOT_ID, *REMOTE_IDS)
