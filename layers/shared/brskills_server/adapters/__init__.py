"""What the ports are plugged into: the stores ``dynamodb`` and ``memory``, ``stripe``, ``apigateway``.

Importing this package loads none of them.
"""
