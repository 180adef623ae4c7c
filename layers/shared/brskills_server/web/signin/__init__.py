"""Sign-in by OAuth 2.1: how a person lets a program use an account without giving it the key.

``accounts`` has the rules of grants and tokens; this package has the protocol. Only the function ``oauth``
loads it and Authlib.
"""
