"""Build the on-premise packages, which install offline: the server, with or without the snapshot builder."""
