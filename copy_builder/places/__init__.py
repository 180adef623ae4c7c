"""Where months are kept, and which of them is in place."""
