"""Tasks that people give to an agent, run with the tools of a running gateway, and what a right run must do."""
