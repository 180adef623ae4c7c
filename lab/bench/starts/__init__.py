"""What a cold start costs: each function's import and first call, as processor time."""
