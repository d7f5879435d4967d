"""One module or folder per agent: how its tapes are recognised, read, folded and judged."""
