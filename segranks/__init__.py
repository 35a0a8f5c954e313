"""SegRanks: judging machine translation by ranking short segments.

Importing it imports nothing else, so that `segranks.client` needs only `requests`.
"""
