"""Plans for DeepChat: what a cut, a compaction or a repair would come to; nothing is written."""
