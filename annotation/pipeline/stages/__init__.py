"""From the stored texts of a project to its segments and candidates, stage by stage.

`plan` has the order of the stages and cuts each into chunks; every other module does one stage. A
stage reads stored rows only, and replaces what an earlier try stored for the same chunk.
"""
