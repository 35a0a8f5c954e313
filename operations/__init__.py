"""Keeping SegRanks running: whether it is well, what it does, and copies of all it holds."""
