"""Direct assessment: one whole translation at a time, with a score from 0 to 100.

Annotators say how much they agree with a statement about the translation (Graham et al. 2013; WMT
2016 to 2023). The kinds differ in what is shown beside it, and in the labels of the scores.
"""
