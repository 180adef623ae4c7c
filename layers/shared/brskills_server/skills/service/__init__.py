"""Use cases of the service itself: its plans and its status."""
