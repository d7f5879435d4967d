"""What would be written if a session of Claude Code were forked, rewound, compacted or repaired."""
