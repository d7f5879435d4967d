"""Text for people: the cleaning gate and the short labels of numbers, times and tokens."""
