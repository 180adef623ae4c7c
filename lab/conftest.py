"""The environment and the hypothesis profiles of the tests, for those of the laboratory."""

import tests.conftest  # noqa: F401
