"""The skills that look companies up."""
