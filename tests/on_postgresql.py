"""Runs the database tests on PostgreSQL: `python -m tests.on_postgresql [pytest's options]`."""

import os
import sys
from secrets import token_hex

from tests import steadily
from tests.services import Unavailable, postgresql_server


def main() -> int:
    try:
        with postgresql_server() as server:
            print("\nThe database tests once more, on PostgreSQL:", flush=True)
            os.environ["DATABASE_URL"] = f"{server}/segranks_{token_hex(4)}"
            return steadily.run(["--only-database"], sys.argv[1:])
    except Unavailable as problem:
        print(f"\nThe database tests were not run on PostgreSQL. {problem}")
        return int(os.environ.get("SEGRANKS_REQUIRE_ALL") == "1")


if __name__ == "__main__":
    sys.exit(main())
