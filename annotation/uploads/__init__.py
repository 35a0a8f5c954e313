"""New projects in the browser: from files that somebody sends to a project that is prepared.

Pure are `names`, `looking`, `unpacking`, `problems`, `checking`, `columns`, `trees`, `ready_made`,
`given_segments`, `languages` and `sampling`; the last runs as a program of its own, so that whoever
answers pages stays small.
"""
