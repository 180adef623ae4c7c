"""Both stores in a relational database: statements that SQLite (3.35 or later) and PostgreSQL read alike."""
