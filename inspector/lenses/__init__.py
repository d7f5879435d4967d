"""The questions that a person asks of a tape, each a pure function over its timeline."""
