"""Where a month's copy is put: a module each, with a class that is a ``place.Destination``."""
