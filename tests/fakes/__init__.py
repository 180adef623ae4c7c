"""Stand-ins for services that no test may call."""
