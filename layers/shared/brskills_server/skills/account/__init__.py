"""Use cases of an account: its keys, usage, billing and grants."""
