"""The roles of the files of a new project."""

SOURCE, REFERENCE, SYSTEM = "source", "reference", "system"
TREES, LINKS = "trees", "links"
# The name of the document of each sentence.
DOCUMENTS = "documents"
# The thesis' six-column file of segments and candidates, and the file of their systems.
SEGMENTS, SYSTEMS = "segments", "systems"
# Segments of the source in three columns, without candidates.
GIVEN = "given"
UNUSED = "unused"
