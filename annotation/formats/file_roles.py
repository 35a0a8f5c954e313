"""The roles that a file of a new project can have."""

SOURCE, REFERENCE, SYSTEM = "source", "reference", "system"


TREES, LINKS = "trees", "links"


# The thesis' six-column file, and the one that says which system made which candidate.
SEGMENTS, SYSTEMS = "segments", "systems"


# Segments of the source, in three columns: candidates are still to be made.
GIVEN = "given"


UNUSED = "unused"
