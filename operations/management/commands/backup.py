"""`manage.py backup`: everything that the installation holds, as one file."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.atomic_files import write_file
from annotation.common.commands import SegRanksCommand, standard_output
from operations.backups import backup


class Command(SegRanksCommand):
    help = (
        "Write all projects, accounts and judgements to a file for `manage.py restore`, as they "
        "are at this moment; people can go on working. Whoever has the file has everything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="gzipped where it ends in .gz; - is standard output"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["file"] == "-":
            with standard_output():
                sys.stdout.buffer.writelines(backup())
                sys.stdout.buffer.flush()
            return
        path = Path(options["file"])
        # There are hashes of passwords in it.
        os.umask(0o077)
        write_file(path, backup())
        self.stdout.write(f"Everything is in {path} ({path.stat().st_size:,} bytes).")
