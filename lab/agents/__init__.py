"""Tasks as people give them to an agent, run with the tools of a gateway, and the rules of a right run."""
