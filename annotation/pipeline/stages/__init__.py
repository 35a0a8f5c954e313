"""From the stored texts of a project to its segments and candidates, stage by stage.

`stages` has their order and cuts each into chunks; the other modules do a chunk each of their
stage. What a chunk writes may be written twice, and depends on nothing but what is stored.
"""
