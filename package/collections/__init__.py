"""The API's requests, made from its OpenAPI document, for Postman, Bruno and other programming languages."""
