"""API Gateway in small: the same functions behind HTTP on one machine, for local runs and on-premise.

Routes, authorizer, preflight and gateway responses are read from ``template.yaml``.
"""
