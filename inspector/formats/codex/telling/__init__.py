"""Events in words, as plain uncleaned text."""
