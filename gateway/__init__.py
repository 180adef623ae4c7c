"""A small front door for the functions where API Gateway is not: local runs and on-premise.

Routes, authorizer, preflight and the gateway's own errors are read from ``template.yaml``.
"""
