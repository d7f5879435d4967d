"""Where the records of a log are: lines of a text, plain or compressed, or rows of a table."""
