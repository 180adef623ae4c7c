"""Keys, accounts, sign-ups, grants and subscriptions: who may call, and on which plan."""
