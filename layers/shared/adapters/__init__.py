"""What the ports are plugged into: stores (``dynamodb``, ``memory``) and the payment processor (``stripe``).

Importing this package loads none of them.
"""
