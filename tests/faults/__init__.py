"""Faults around SegRanks: killed processes, restarted servers, full disks.

`make faults` runs them, apart from `make test`: real processes are killed and waited for.
"""
