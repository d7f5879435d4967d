"""What the command line prints: documents for scripts, and text for people."""
