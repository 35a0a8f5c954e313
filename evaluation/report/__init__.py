"""The report: all findings about the judgements of a project.

`contents` computes it, `plain` turns it into JSON, and `shape` describes that JSON. Pages, tables
and figures are made from the JSON alone.
"""
