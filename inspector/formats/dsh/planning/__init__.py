"""Plans for DeepSeek Harness: where a log may be cut, and what would be written."""
