"""Search in the register's snapshot: what is searched for, how texts are compared, and the engines' port."""
