"""The deployment's copy of the federal register, read in place of a provider."""
