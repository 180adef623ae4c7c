"""Our own copy of the federal register, in the stores that it may be in (``registry.own_copy.OwnCopy``)."""
