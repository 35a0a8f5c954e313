"""Tables, figures and texts as values, and what writes them: pages, terminals and files."""
