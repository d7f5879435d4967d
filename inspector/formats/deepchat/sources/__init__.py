"""Where the rows are: which databases, which sessions, which tables."""
