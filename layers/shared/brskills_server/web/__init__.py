"""HTTP as API Gateway's proxy events bring it: requests, problems, languages, headers, dispatch."""
