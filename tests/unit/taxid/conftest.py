"""A busy machine is no failure: examples take the time they take."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
