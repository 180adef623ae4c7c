"""An HTTP server that runs the functions as API Gateway would, for local runs and on-premise.

Routes, authorizer, preflight and gateway responses are read from ``template.yaml``.
"""
