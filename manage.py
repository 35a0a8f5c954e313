#!/usr/bin/env python
"""The command line of SegRanks in a clone: `python manage.py help` lists what it can do."""

import sys

if __name__ == "__main__":
    # An older Python would fail with a traceback.
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.exit(
            f"Error: SegRanks needs Python 3.11 or later, and this is {sys.version.split()[0]}: "
            "run manage.py with a later one."
        )
    from segranks.command_line import main

    main()
