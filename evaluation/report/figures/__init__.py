"""The figures of a report as Vega-Lite specifications, which are plain dictionaries.

Names and texts are in their data, never in an expression, so that nobody's name is ever run.
Everything is computed beforehand; a specification says only how it is drawn.
"""
