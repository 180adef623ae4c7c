"""Commands for a deployment on AWS: ``make deploy`` and ``make smoke``."""
