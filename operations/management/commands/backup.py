"""`manage.py backup`: everything in the database, as one file."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.atomic_files import write_file
from annotation.common.commands import SegRanksCommand
from operations.backups import backup


class Command(SegRanksCommand):
    help = (
        "Write all projects, accounts and judgements to a file for `manage.py restore`, while "
        "people go on working. The file has hashes of passwords: keep it secret."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="gzipped if it ends in .gz; - is standard output"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["file"] == "-":
            sys.stdout.buffer.writelines(backup())
            return
        path = Path(options["file"])
        # Only its owner may read it.
        os.umask(0o077)
        write_file(path, backup())
        self.stdout.write(f"The backup is in {path} ({path.stat().st_size:,} bytes).")
