"""What would happen if a session were forked, rewound, compacted, repaired or resumed: values."""
