"""DynamoDB: the Access table, the Companies table, and a store that is not AWS's (``local``)."""
