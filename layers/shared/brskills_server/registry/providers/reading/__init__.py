"""Reading the answers of providers into company records."""
