"""Our own copy of the federal register, in the stores that it may be in (``brskills_server.registry.snapshot.register_snapshot.RegisterSnapshot``)."""
