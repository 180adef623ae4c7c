"""The client that people install: its library and its command, over a transport that answers from memory."""
