"""What the ports are plugged into: stores (``dynamodb``, ``memory``) and the payment processor (``stripe``).

Nothing is loaded by importing this package; whoever needs an adapter imports its module.
"""
