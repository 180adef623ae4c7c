"""The protocol of sign-in by OAuth 2.1: a person lets a program use an account without giving it the key."""
