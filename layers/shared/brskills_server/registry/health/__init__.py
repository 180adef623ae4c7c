"""What all processes share about the providers: breakers, quotas, and recent results."""
