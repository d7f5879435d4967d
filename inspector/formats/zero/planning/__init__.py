"""What would be written if a session of Zero were forked, rewound, compacted or repaired."""
