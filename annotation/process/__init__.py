"""What each process of SegRanks has for itself: the time, and what its log lines belong to."""
