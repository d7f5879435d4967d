"""What the events do: nodes, registers, spans, marks and usage, one room for each subject."""
