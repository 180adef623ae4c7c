"""The look-up of one company or many: what is known first, then the providers."""
