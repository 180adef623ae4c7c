"""The HTTP API in OpenAPI 3.1, made from the models of requests and answers; slow to import."""
