"""Build the on-premise package, which installs offline: ``make package``.

Twice, without and with what builds the register's copy, a folder and an archive of it: the server as a wheel,
wheels of every package that it needs, their list with hashes, the bill of materials, and all of
``on-premise/`` (installation, container, services, proxy).
"""
