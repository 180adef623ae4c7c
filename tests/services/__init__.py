"""Starting the whole service for a test: the gateway on loopback, or the template on MiniStack."""
