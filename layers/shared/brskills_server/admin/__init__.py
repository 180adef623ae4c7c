"""The operator's command line: ``python -m brskills_server.admin``, whose commands ``--help`` lists."""
