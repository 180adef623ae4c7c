"""A busy machine is not a failure: an example may take any time."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
