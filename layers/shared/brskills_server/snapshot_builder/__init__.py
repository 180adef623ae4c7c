"""The builder of our own copy of the federal register, from its published files to the month in place."""
