"""What a warm call costs through `make run`, beside the same endpoints in FastAPI."""
