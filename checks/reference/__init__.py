"""Generation of ``docs/reference`` from the code that it describes."""
