"""Settings, and everything put together once: the only room that knows what the ports are plugged into."""
