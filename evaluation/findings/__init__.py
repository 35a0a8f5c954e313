"""What judgements say: each module has findings, with their result, computation and tables."""
