"""Settings and composition: the only package that knows which adapter serves which port."""
