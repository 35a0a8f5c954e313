"""Run pytest on PostgreSQL: `python -m tests.on_postgresql [options of pytest]`.

Use the server on 127.0.0.1:5432 if there is one, else start one. Each xdist process makes its own
database there.
"""

import os
import subprocess
import sys
from secrets import token_hex

from tests.services import Unavailable, postgresql_server


def main() -> int:
    try:
        with postgresql_server() as server:
            environment = os.environ | {"DATABASE_URL": f"{server}/segranks_{token_hex(4)}"}
            command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
            return subprocess.run(command, env=environment, check=False).returncode
    except Unavailable as problem:
        print(f"The tests were not run on PostgreSQL. {problem}")
        return int(os.environ.get("SEGRANKS_REQUIRE_ALL") == "1")


if __name__ == "__main__":
    sys.exit(main())
