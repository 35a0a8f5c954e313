"""One report: all findings about a project's judgements, computed once and rendered from then on.

`contents` computes it, `plain` makes it plain JSON, whose parts `shape` describes. Pages, tables
and figures are made from that JSON alone, so that what was stored last year still can be shown.
"""
