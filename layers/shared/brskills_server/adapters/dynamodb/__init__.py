"""Both stores in DynamoDB: a table each. Importing this package loads no botocore."""
