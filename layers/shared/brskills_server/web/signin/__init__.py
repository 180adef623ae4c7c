"""Sign-in by OAuth 2.1: how a person lets a program use a key without giving it away.

Rules of grants and tokens are in ``access``; here they are spoken over HTTP. Only this room knows Authlib,
and only the function ``oauth`` loads it.
"""
