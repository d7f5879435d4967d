"""What formats share: logs of lines or rows, how they are cut, mended, folded and read again."""
